// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/scheduling.h"

#include <optional>
#include <string>

#include "ctxgate/bench/facts/cgroup.h"
#include "ctxgate/bench/facts/cpu_list.h"
#include "ctxgate/bench/facts/source.h"

namespace ctxgate {
namespace {

std::string IsIsolated(const Roots& roots, int cpu) {
  const auto isolated = FindIsolatedCpus(roots);
  if (cpu < 0 || !isolated) return kUnknown;
  return Holds(*isolated, cpu) ? "yes" : "no";
}

std::string AddressRandomisation(const Roots& roots, const Self& self) {
  if (!self.address_randomised) return "off (personality)";
  return ReadFact(roots.proc + "/sys/kernel/randomize_va_space");
}

// A filter makes every system call dearer. A kernel without seccomp equals one without a filter.
std::string Seccomp(const Roots& roots) {
  const auto mode = StatusField(roots, "Seccomp");
  if (!mode && !StatusField(roots, "Pid")) return kUnknown;
  if (!mode || *mode == "0") return kNone;
  return *mode == "2" ? "filter" : "strict";
}

std::string Limit(rlim_t value) {
  return value == RLIM_INFINITY ? "unlimited" : std::to_string(value);
}

// Paths of groups hold session numbers and container names; only the depth costs time.
std::string GroupDepth(const Roots& roots) {
  const Cgroup group = OwnCgroup(roots, "cpu");
  if (group.presence == Presence::kUnreadable) return kUnknown;
  if (group.presence == Presence::kAbsent) return kNone;
  return std::to_string(LevelsUp(group).size() - 1);
}

}  // namespace

void AddSchedulingFacts(const Roots& roots, int cpu, const Self& self, Facts& facts) {
  const std::string sysctl = roots.proc + "/sys/kernel/";
  facts.identity["rt_runtime_us"] = ReadFact(sysctl + "sched_rt_runtime_us");
  facts.identity["rt_period_us"] = ReadFact(sysctl + "sched_rt_period_us");
  facts.identity["isolated"] = IsIsolated(roots, cpu);
  facts.identity["address_randomisation"] = AddressRandomisation(roots, self);
  facts.identity["seccomp"] = Seccomp(roots);
  facts.subject["nohz_full"] = FactOf(ReadSource(roots.sys + "/devices/system/cpu/nohz_full"));
  if (facts.subject["nohz_full"] == "(null)") facts.subject["nohz_full"] = kNone;
  facts.record["allowed_cpus"] = FormatCpuList(self.allowed_cpus);
  facts.record["limit_rtprio"] = Limit(self.limits.rtprio);
  facts.record["limit_memlock"] = Limit(self.limits.memlock);
  facts.record["capabilities"] = StatusField(roots, "CapEff").value_or(kUnknown);
  facts.record["cgroup_depth"] = GroupDepth(roots);
  facts.record["cgroup_rt_runtime_us"] = FactOf(OwnRtBudget(roots));
}

}  // namespace ctxgate
