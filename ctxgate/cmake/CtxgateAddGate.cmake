# SPDX-License-Identifier: Apache-2.0
#[=======================================================================[.rst:
CtxgateAddGate
--------------

.. command:: ctxgate_add_gate

  Registers a Google Benchmark program as a gate: CTest measures it and fails when it became slower::

    ctxgate_add_gate(<name>
                     BENCHMARK <target>
                     [BASELINE <path>...]
                     [TOLERANCE <tolerance>...]
                     [RUNS <n>]
                     [FILTER <regex>]
                     [EXTRA_ARGS <argument>...]
                     [PROPERTIES <name> <value>...])

  It adds three tests, each a step of one gate:

  ``<name>.fit``
    clears what the gate left last time, then ``ctxgate doctor``: can this machine give a valid
    reading now?
  ``<name>.measure``
    ``ctxgate measure``: runs the program as ``RUNS`` fresh processes and stores the session.
  ``<name>.gate``
    ``ctxgate gate``: judges that session, and writes ``verdict.json`` and ``junit.xml``.

  The steps are CTest fixtures, so naming one runs those before it too. Everything is kept in
  ``<current binary dir>/ctxgate-gates/<name>/``. All carry the label ``ctxswitch`` and run alone:
  ``ctest -L ^ctxswitch$ --no-tests=error``.

  ``BENCHMARK``
    An executable target: ``ctxgate::bench``, or any program linked with Google Benchmark. The
    latter is judged as unproven: nothing shows that a switch happened.
  ``BASELINE``
    Session directories or files to compare with, relative to the current source directory. Without
    it the command looks for a baseline of this hardware class.
  ``TOLERANCE``
    The change that matters: ``3%``, or ``certifiable`` for the smallest that the baseline can
    certify; ``PATTERN=3%`` for some benchmarks only. Default: that of ``ctxgate.toml`` in the
    current source directory or above it in the repository, else that of ``ctxgate gate``.
  ``RUNS``
    Processes in the session. Default: 8.
  ``FILTER``
    Only the benchmarks whose name matches.
  ``EXTRA_ARGS``
    Further arguments of ``ctxgate measure``, such as ``--cpu 3``. What follows ``--bench-args``
    goes to the program.
  ``PROPERTIES``
    Set on all three tests. ``LABELS``, ``RESOURCE_LOCK`` and ``FIXTURES_REQUIRED`` add to the
    gate's own. Properties that could turn a failure into a pass are refused.

  With ``CTXGATE_REQUIRE`` ON everything but a pass fails. With OFF, an unfit machine or a missing
  baseline is a skip; everything else still fails. CTest exits 0 when all it did was skip, so a
  build that must not pass unmeasured sets it ON.

  ``CTXGATE_COMMAND`` is the ``ctxgate`` command to run.
#]=======================================================================]
include_guard(GLOBAL)

# Sets <result> to the command line of `ctxgate doctor`, from the arg_* of the caller: it judges the
# machine for the CPU and the scheduling class that will be measured.
function(_ctxgate_doctor_command result)
  # Our own program is asked about the machine, whatever program is gated: no other knows.
  set(command "${CTXGATE_COMMAND}" doctor --bench "$<TARGET_FILE:ctxgate::bench>")
  if(NOT arg_BENCHMARK MATCHES "^ctxgate(::|-)bench$")
    # A foreign program runs in the class that it was started in.
    list(APPEND command --class other)
  endif()
  set(takes_value FALSE)
  foreach(argument IN LISTS arg_EXTRA_ARGS)
    if(argument MATCHES "^--bench-args")
      break()
    endif()
    if(takes_value OR argument MATCHES "^--(class|cpu)(=|$)")
      list(APPEND command "${argument}")
      string(REGEX MATCH "^--(class|cpu)$" takes_value "${argument}")
    endif()
  endforeach()
  set(${result} ${command} PARENT_SCOPE)
endfunction()

# Sets <result> to the command line of `ctxgate measure`, from the arg_* of the caller.
function(_ctxgate_measure_command result directory)
  set(command "${CTXGATE_COMMAND}" measure --out "${directory}/session"
              --bench "$<TARGET_FILE:${arg_BENCHMARK}>" --runs ${arg_RUNS} ${unfit})
  if(DEFINED arg_FILTER)
    list(APPEND command "--filter=${arg_FILTER}")
  endif()
  # Last, since all that follows --bench-args is handed to the program.
  set(${result} ${command} ${arg_EXTRA_ARGS} PARENT_SCOPE)
endfunction()

# Sets <result> to the command line of `ctxgate gate`, from the arg_* of the caller.
function(_ctxgate_judge_command result directory)
  set(command "${CTXGATE_COMMAND}" gate --contender "${directory}/judged"
              --json "${directory}/verdict.json" --junit "${directory}/junit.xml")
  if(DEFINED arg_FILTER)
    list(APPEND command "--filter=${arg_FILTER}")
  endif()
  if(arg_BASELINE)
    list(APPEND command --baseline)
    foreach(path IN LISTS arg_BASELINE)
      if(NOT path MATCHES "^\\$<")
        cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
      endif()
      list(APPEND command "${path}")
    endforeach()
  endif()
  if(arg_TOLERANCE)
    list(APPEND command --tolerance ${arg_TOLERANCE})
  endif()
  set(${result} ${command} PARENT_SCOPE)
endfunction()

# Sets one property on the three tests of the gate.
function(_ctxgate_set_property name property value)
  # With these CTest reads the result from something else than the exit status, or not at all.
  set(refused DISABLED FIXTURES_CLEANUP FIXTURES_SETUP PASS_REGULAR_EXPRESSION
              SKIP_REGULAR_EXPRESSION SKIP_RETURN_CODE WILL_FAIL)
  set(added FIXTURES_REQUIRED LABELS RESOURCE_LOCK)
  if(property IN_LIST refused)
    message(FATAL_ERROR "ctxgate_add_gate(${name}): PROPERTIES ${property} is refused: it could "
                        "turn a failed or skipped step into a pass")
  endif()
  set(append)
  if(property IN_LIST added)
    set(append APPEND)
  endif()
  set_property(TEST "${name}.fit" "${name}.measure" "${name}.gate" ${append}
               PROPERTY "${property}" ${value})
endfunction()

# Applies the PROPERTIES of the caller. foreach() keeps a value that is a list in one piece, which
# list(POP_FRONT) does not.
function(_ctxgate_set_properties name)
  set(property)
  foreach(word IN LISTS arg_PROPERTIES)
    if(property)
      _ctxgate_set_property("${name}" "${property}" "${word}")
      set(property)
    else()
      set(property "${word}")
    endif()
  endforeach()
endfunction()

# Fails on what is wrong with the call; names the gate, since a project may have several.
function(_ctxgate_check_arguments name)
  set(where "ctxgate_add_gate(${name})")
  if(NOT name MATCHES "^[A-Za-z0-9][A-Za-z0-9_.-]*$")
    message(FATAL_ERROR "${where}: the name may hold letters, digits, '_', '.' and '-' only: it "
                        "names a folder")
  endif()
  get_property(taken GLOBAL PROPERTY _ctxgate_gates)
  if(name IN_LIST taken)
    message(FATAL_ERROR "${where}: there is a gate of that name already")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${where}: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${where}: no value for ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT arg_BENCHMARK)
    message(FATAL_ERROR "${where}: BENCHMARK <target> is missing")
  endif()
  if(NOT TARGET "${arg_BENCHMARK}")
    message(FATAL_ERROR "${where}: there is no target ${arg_BENCHMARK} (yet)")
  endif()
  get_target_property(type "${arg_BENCHMARK}" TYPE)
  if(NOT type STREQUAL "EXECUTABLE")
    message(FATAL_ERROR "${where}: target ${arg_BENCHMARK} is no executable, but ${type}")
  endif()
  if(DEFINED arg_RUNS AND NOT arg_RUNS MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "${where}: RUNS must be a whole number above 0, not '${arg_RUNS}'")
  endif()
  list(LENGTH arg_PROPERTIES count)
  math(EXPR odd "${count} % 2")
  if(odd)
    message(FATAL_ERROR "${where}: PROPERTIES needs pairs of name and value")
  endif()
endfunction()

function(ctxgate_add_gate name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "BENCHMARK;RUNS;FILTER"
                        "BASELINE;TOLERANCE;EXTRA_ARGS;PROPERTIES")
  _ctxgate_check_arguments("${name}")
  set_property(GLOBAL APPEND PROPERTY _ctxgate_gates "${name}")
  if(NOT DEFINED arg_RUNS)
    set(arg_RUNS 8)
  endif()

  # What is included with EXCLUDE_FROM_ALL is built only for what needs it.
  get_target_property(imported "${arg_BENCHMARK}" IMPORTED)
  if(TARGET ctxgate-bench AND NOT imported)
    get_target_property(aliased "${arg_BENCHMARK}" ALIASED_TARGET)
    if(NOT aliased AND NOT arg_BENCHMARK STREQUAL "ctxgate-bench")
      add_dependencies("${arg_BENCHMARK}" ctxgate-bench)
    endif()
  endif()

  set(directory "${CMAKE_CURRENT_BINARY_DIR}/ctxgate-gates/${name}")
  set(step "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/gate_step.sh")
  set(unfit)
  if(NOT CTXGATE_REQUIRE)
    set(unfit --on-unfit=skip)
  endif()
  _ctxgate_doctor_command(doctor)
  _ctxgate_measure_command(measure "${directory}")
  _ctxgate_judge_command(judge "${directory}")

  add_test(NAME "${name}.fit" COMMAND "${step}" fit "${directory}" ${doctor} ${unfit})
  add_test(NAME "${name}.measure" COMMAND ${measure})
  add_test(NAME "${name}.gate" COMMAND "${step}" gate "${directory}" ${judge} ${unfit})

  set(tests "${name}.fit" "${name}.measure" "${name}.gate")
  # RUN_SERIAL holds within this ctest only; `ctxgate measure` takes a lock for the whole host.
  set_tests_properties(
    ${tests} PROPERTIES LABELS ctxswitch RUN_SERIAL TRUE RESOURCE_LOCK ctxgate_host
                        WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  set_tests_properties("${name}.fit" PROPERTIES FIXTURES_SETUP "ctxgate.${name}.fit" TIMEOUT 120)
  # A run's own deadline ends a stuck hand-over long before this; it only ends a stuck measure.
  math(EXPR timeout "300 + 120 * ${arg_RUNS}")
  set_tests_properties(
    "${name}.measure" PROPERTIES FIXTURES_SETUP "ctxgate.${name}.measure" FIXTURES_REQUIRED
                                 "ctxgate.${name}.fit" TIMEOUT ${timeout})
  set_tests_properties("${name}.gate" PROPERTIES FIXTURES_REQUIRED "ctxgate.${name}.measure"
                                                 TIMEOUT 300)
  if(NOT CTXGATE_REQUIRE)
    set_tests_properties(${tests} PROPERTIES SKIP_RETURN_CODE 77)
  endif()
  _ctxgate_set_properties("${name}")
endfunction()
