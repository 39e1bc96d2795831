// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_CGROUP_H_
#define CTXGATE_BENCH_FACTS_CGROUP_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ctxgate/bench/facts/roots.h"
#include "ctxgate/bench/facts/source.h"

namespace ctxgate {

/// The control group of this process in the hierarchy of one controller.
struct Cgroup {
  Presence presence = Presence::kAbsent;  ///< kUnreadable: it has one that cannot be located.
  int version = 0;                        ///< 1 or 2; 0 unless read.
  std::string directory;                  ///< Where its files are.
  std::string mount;                      ///< The top of the hierarchy as far as it is visible.
};

/// Finds the own group of `controller` ("cpu", "cpuset") from /proc/self/cgroup and
/// /proc/self/mountinfo, also where only a part of the hierarchy is mounted (containers).
Cgroup OwnCgroup(const Roots& roots, const std::string& controller);

/// Where cgroup v2 is mounted, or nothing.
std::optional<std::string> UnifiedCgroupMount(const Roots& roots);

/// The group's directories from its own up to the mount.
std::vector<std::string> LevelsUp(const Cgroup& group);

/// A quota on CPU time that holds for this process, the tightest of all its levels.
struct CpuQuota {
  Presence presence = Presence::kAbsent;  ///< kAbsent: unlimited.
  double cpus = 0;                        ///< Quota divided by period: 0.2 is a fifth of a CPU.
  std::int64_t throttled = 0;             ///< Periods in which the group was stopped so far.
  std::int64_t periods = 0;               ///< Periods so far.
  std::string file;                       ///< The file that holds the quota.
};

/// The quota from cpu.cfs_quota_us (v1) or cpu.max (v2) along the own path, with cpu.stat's counts.
CpuQuota OwnCpuQuota(const Roots& roots);

/// The real-time budget of the own v1 cpu group (cpu.rt_runtime_us, microseconds a period; it
/// exists with CONFIG_RT_GROUP_SCHED only, and 0 refuses SCHED_FIFO to root too).
Source OwnRtBudget(const Roots& roots);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_CGROUP_H_
