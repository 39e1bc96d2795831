# SPDX-License-Identifier: Apache-2.0
# The gate of this repository's own benchmark program: `ctest -L ctxswitch`.
set(CTXGATE_BASELINE "" CACHE STRING "Session directories or files that the gate compares with")
set(CTXGATE_TOLERANCE "" CACHE STRING "The change that matters, such as 3%; empty: the default")

set(baseline)
if(CTXGATE_BASELINE)
  set(baseline BASELINE ${CTXGATE_BASELINE})
endif()
set(tolerance)
if(CTXGATE_TOLERANCE)
  set(tolerance TOLERANCE ${CTXGATE_TOLERANCE})
endif()
ctxgate_add_gate(pipe BENCHMARK ctxgate-bench ${baseline} ${tolerance})
