// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_CONDITIONS_H_
#define CTXGATE_BENCH_FACTS_CONDITIONS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "ctxgate/bench/facts/fact_map.h"
#include "ctxgate/bench/facts/roots.h"

namespace ctxgate {

/// Adds what changes by itself and is therefore only noted: load, steal, uptime, frequency,
/// throttling, taint, and the boot's random identifier, which tells two boots apart.
void AddConditions(const Roots& roots, int cpu, Facts& facts);

/// How the time of one CPU was spent since boot, in clock ticks of /proc/stat.
struct CpuTime {
  std::int64_t busy = 0;   ///< Everything but idle and waiting for devices, steal included.
  std::int64_t steal = 0;  ///< Taken away by the hypervisor.
};

/// The CPU's line of /proc/stat; the whole machine's for -1. Nothing if it cannot be read.
std::optional<CpuTime> ReadCpuTime(const Roots& roots, int cpu);

/// The tasks that run or want to, this one included (procs_running); nothing if not told.
std::optional<std::int64_t> RunnableTasks(const Roots& roots);

/// The load average of the last minute; nothing if it cannot be read.
std::optional<double> LoadOfLastMinute(const Roots& roots);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_CONDITIONS_H_
