// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/rights.h"

#include <array>
#include <cstdio>

#include "ctxgate/bench/facts/cgroup.h"
#include "ctxgate/bench/facts/refusal.h"
#include "ctxgate/bench/facts/source.h"
#include "ctxgate/bench/task/scheduling_class.h"

namespace ctxgate {
namespace {

using State = Requirement::State;

constexpr const char* kNoReport = "the process that tried it did not report within 5 s";

Requirement Refused(const char* name, const Refusal& refusal, bool required) {
  return {name, State::kBad, refusal.cause, refusal.remedy, required};
}

// -1 means no limit; 0 stops every task of the class, also one that only tries.
bool NoBudgetAtAll(const Roots& roots) {
  return ReadSource(roots.proc + "/sys/kernel/sched_rt_runtime_us").text == "0";
}

Requirement JudgeFifo(const Roots& roots, int cpu, const Self& self, const RightsProbe& probe) {
  if (NoBudgetAtAll(roots)) {
    return {"fifo", State::kBad, "not tried: the machine's real-time budget is 0",
            "`sudo sysctl kernel.sched_rt_runtime_us=950000`", true};
  }
  if (!probe.finished) return {"fifo", State::kUnknown, kNoReport, "run it again", true};
  const std::string granted = "granted at priority " + std::to_string(kFifoPriority);
  if (probe.fifo) return {"fifo", State::kGood, granted, "", true};
  return Refused("fifo",
                 DiagnoseRefusal(roots, RefusedCall::kSchedulerClass, probe.fifo_error, cpu,
                                 kFifoPriority, self.limits),
                 true);
}

Requirement JudgePinning(const Roots& roots, int cpu, const Self& self, const RightsProbe& probe) {
  if (cpu < 0) return {"pinning", State::kUnknown, "no CPU is chosen", "name one: `--cpu`", true};
  if (!probe.finished) return {"pinning", State::kUnknown, kNoReport, "run it again", true};
  if (probe.pinned) {
    return {"pinning", State::kGood, "pinned to CPU " + std::to_string(cpu), "", true};
  }
  return Refused("pinning",
                 DiagnoseRefusal(roots, RefusedCall::kAffinity, probe.affinity_error, cpu,
                                 kFifoPriority, self.limits),
                 true);
}

Requirement JudgeMemoryLock(const Roots& roots, int cpu, const Self& self,
                            const RightsProbe& probe) {
  if (!probe.finished) return {"memory_lock", State::kUnknown, kNoReport, "run it again", false};
  if (probe.lock_error == 0) return {"memory_lock", State::kGood, "granted", "", false};
  return Refused("memory_lock",
                 DiagnoseRefusal(roots, RefusedCall::kMemoryLock, probe.lock_error, cpu,
                                 kFifoPriority, self.limits),
                 false);
}

Requirement JudgeRtBudget(const Roots& roots) {
  const std::string runtime = ReadFact(roots.proc + "/sys/kernel/sched_rt_runtime_us");
  const std::string period = ReadFact(roots.proc + "/sys/kernel/sched_rt_period_us");
  const std::string group = FactOf(OwnRtBudget(roots));
  const std::string found = runtime == "-1" ? "unlimited" : runtime + " of " + period + " us";
  if (runtime == "0") {
    return {"rt_budget", State::kBad, found, "`sudo sysctl kernel.sched_rt_runtime_us=950000`",
            true};
  }
  if (group == "0") {
    const std::string file = OwnCgroup(roots, "cpu").directory + "/cpu.rt_runtime_us";
    return {"rt_budget", State::kBad, "0 us in this cgroup (" + file + ")",
            "`echo 950000 | sudo tee " + file + "`", true};
  }
  if (runtime == kUnknown || group == kUnknown) {
    return {"rt_budget", State::kUnknown, "could not be read", "", true};
  }
  if (runtime == kNone) return {"rt_budget", State::kGood, "no limit in this kernel", "", true};
  return {"rt_budget", State::kGood, found, "", true};
}

Requirement JudgeTracer(const Roots& roots) {
  const auto tracer = StatusField(roots, "TracerPid");
  if (!tracer) return {"tracer", State::kUnknown, "could not be read", "", true};
  if (*tracer == "0") return {"tracer", State::kGood, "none", "", true};
  const std::string name = ReadFact(roots.proc + "/" + *tracer + "/comm");
  return {"tracer", State::kBad,
          "traced by " + (name == kNone ? "process" : name) + " (" + *tracer +
              "): every system call stops twice for it",
          "run it without the tracer", true};
}

std::string Percent(double fraction) {
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), "%.0f %%", fraction * 100);
  return text.data();
}

// A same-CPU benchmark with what waits beside it uses little more than one CPU: two are never
// throttled, one may be.
Requirement JudgeQuota(const Roots& roots) {
  constexpr double kAmple = 2.0;
  const CpuQuota quota = OwnCpuQuota(roots);
  if (quota.presence == Presence::kUnreadable) {
    return {"cpu_quota", State::kUnknown, "the cgroup's quota could not be read", "", true};
  }
  if (quota.presence == Presence::kAbsent) return {"cpu_quota", State::kGood, "none", "", true};
  const std::string found = Percent(quota.cpus) + " of a CPU (" + quota.file + "), throttled in " +
                            std::to_string(quota.throttled) + " of " +
                            std::to_string(quota.periods) + " periods";
  if (quota.cpus >= kAmple) return {"cpu_quota", State::kGood, found, "", true};
  const bool unified = quota.file.ends_with("/cpu.max");
  return {"cpu_quota", State::kBad, found,
          std::string("`echo ") + (unified ? "max" : "-1") + " | sudo tee " + quota.file +
              "`, or run it in another cgroup (docker: without `--cpus`)",
          true};
}

}  // namespace

std::vector<Requirement> JudgeRights(const Roots& roots, int cpu, const Self& self,
                                     const RightsProber& prober) {
  const RightsProbe probe = prober(cpu, !NoBudgetAtAll(roots));
  return {JudgeFifo(roots, cpu, self, probe),
          JudgePinning(roots, cpu, self, probe),
          JudgeRtBudget(roots),
          JudgeTracer(roots),
          JudgeQuota(roots),
          JudgeMemoryLock(roots, cpu, self, probe)};
}

}  // namespace ctxgate
