// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_CPU_TIME_H_
#define CTXGATE_BENCH_FACTS_CPU_TIME_H_

#include <cstdint>
#include <optional>

#include "ctxgate/bench/facts/roots.h"

namespace ctxgate {

/// Milliseconds that the hypervisor took from a CPU since boot (the steal column of /proc/stat,
/// proc(5)); nothing if the file does not say.
std::optional<double> StealMs(const Roots& roots, int cpu);

/// The kernel's real-time budget, in microseconds: tasks of real-time classes may run `runtime_us`
/// of every `period_us`; a runtime of -1 is no limit (Documentation/scheduler/sched-rt-group.rst).
struct RealTimeBudget {
  std::int64_t runtime_us = 950'000;
  std::int64_t period_us = 1'000'000;
};

/// As set; the kernel's defaults where it cannot be read.
RealTimeBudget ReadRealTimeBudget(const Roots& roots);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_CPU_TIME_H_
