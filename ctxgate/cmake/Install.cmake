# SPDX-License-Identifier: Apache-2.0
# `cmake --install`: the program, the CMake function and the package config that find_package reads.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_directory "${CMAKE_INSTALL_LIBDIR}/cmake/ctxgate")

set_target_properties(ctxgate-bench PROPERTIES EXPORT_NAME bench)
install(TARGETS ctxgate-bench EXPORT ctxgateTargets RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(EXPORT ctxgateTargets NAMESPACE ctxgate:: DESTINATION "${package_directory}")

configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/ctxgateConfig.cmake.in" "${PROJECT_BINARY_DIR}/ctxgateConfig.cmake"
  INSTALL_DESTINATION "${package_directory}" NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ctxgateConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/ctxgateConfig.cmake"
              "${PROJECT_BINARY_DIR}/ctxgateConfigVersion.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/CtxgateAddGate.cmake" DESTINATION "${package_directory}")
install(PROGRAMS "${CMAKE_CURRENT_LIST_DIR}/gate_step.sh" DESTINATION "${package_directory}")
