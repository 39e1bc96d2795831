// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_PROBE_H_
#define CTXGATE_BENCH_FACTS_PROBE_H_

#include <functional>

namespace ctxgate {

/// What a child process was allowed to do. An error is an errno value, 0 for success; whether the
/// request is in effect was read back, since a filter may answer success and do nothing.
struct RightsProbe {
  bool finished = false;  ///< The child reported; all else is meaningless without.
  int affinity_error = 0;
  bool pinned = false;
  int fifo_error = 0;
  bool fifo = false;
  int lock_error = 0;
};

/// Asks for the rights to measure on `cpu` (-1: wherever it is); `with_fifo` false leaves the
/// real-time class alone.
using RightsProber = std::function<RightsProbe(int cpu, bool with_fifo)>;

/// Forks a child that pins itself to the CPU, locks its memory and takes SCHED_FIFO at
/// `kFifoPriority`, reads each back, reports and exits. This process is left as it was. The
/// child dies with it, and is killed after 5 s. Call it while single-threaded.
RightsProbe ProbeRights(int cpu, bool with_fifo);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_PROBE_H_
