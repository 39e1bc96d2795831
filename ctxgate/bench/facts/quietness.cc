// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/quietness.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "ctxgate/bench/facts/conditions.h"
#include "ctxgate/bench/facts/cpu.h"
#include "ctxgate/bench/facts/cpu_list.h"
#include "ctxgate/bench/facts/observers.h"
#include "ctxgate/bench/facts/platform.h"
#include "ctxgate/bench/facts/power.h"
#include "ctxgate/bench/facts/source.h"

namespace ctxgate {
namespace {

using State = Requirement::State;

Requirement Advice(const char* name, State state, const std::string& found,
                   const std::string& remedy = "") {
  return {name, state, found, remedy, false};
}

Requirement JudgeIsolation(const Roots& roots, int cpu) {
  const auto isolated = FindIsolatedCpus(roots);
  if (cpu < 0 || !isolated) return Advice("isolation", State::kUnknown, "cannot be told");
  const std::string number = std::to_string(cpu);
  if (Holds(*isolated, cpu)) {
    return Advice("isolation", State::kGood, "CPU " + number + " is isolated");
  }
  return Advice("isolation", State::kBad, "CPU " + number + " is shared with every other task",
                "boot with `isolcpus=" + number +
                    "`, or make an isolated cgroup v2 partition of it (`cpuset.cpus.partition`)");
}

Requirement JudgeGovernor(const Roots& roots, int cpu) {
  const std::string governor = Governor(roots, cpu);
  if (governor == kUnknown) return Advice("governor", State::kUnknown, "cannot be told");
  if (governor == kNone) {
    return Advice("governor", State::kGood, "none: this kernel does not scale the frequency");
  }
  if (governor == "performance") return Advice("governor", State::kGood, governor);
  return Advice(
      "governor", State::kBad, governor,
      "`echo performance | sudo tee " + CpuDirectory(roots, cpu) + "/cpufreq/scaling_governor`");
}

Requirement JudgeBoost(const Roots& roots, int cpu) {
  const Boost boost = FindBoost(roots, cpu);
  if (boost.state == kUnknown) return Advice("boost", State::kUnknown, "cannot be told");
  if (boost.state != "on") return Advice("boost", State::kGood, boost.state);
  return Advice("boost", State::kBad, "on: the frequency depends on heat and on the other CPUs",
                "`echo " + boost.off_value + " | sudo tee " + boost.file + "`");
}

Requirement JudgeSibling(const Roots& roots, int cpu) {
  auto core = CoreCpus(roots, cpu);
  if (cpu < 0 || !core) return Advice("smt_sibling", State::kUnknown, "cannot be told");
  core->erase(std::remove(core->begin(), core->end(), cpu), core->end());
  if (core->empty()) return Advice("smt_sibling", State::kGood, "none");
  return Advice("smt_sibling", State::kBad, "shares its core with CPU " + FormatCpuList(*core),
                "`echo 0 | sudo tee " + CpuDirectory(roots, core->front()) + "/online`");
}

// States left within 10 us are not worth forbidding: a ping-pong on one CPU never idles.
Requirement JudgeIdleStates(const Roots& roots, int cpu) {
  constexpr std::int64_t kShallowUs = 10;
  if (cpu < 0) return Advice("idle_states", State::kUnknown, "cannot be told");
  std::string deep;
  for (const IdleState& state : IdleStates(roots, cpu)) {
    if (!state.enabled || state.latency_us <= kShallowUs) continue;
    deep += (deep.empty() ? "" : ", ") + state.name + " (" + std::to_string(state.latency_us) +
            " us to leave)";
  }
  if (deep.empty()) return Advice("idle_states", State::kGood, "none deeper than 10 us");
  return Advice("idle_states", State::kBad, deep,
                "`sudo cpupower -c " + std::to_string(cpu) + " idle-set -D 10`");
}

// Without its tick intel_pstate's own governor does not notice that a CPU has become busy.
Requirement JudgeNohz(const Roots& roots, int cpu) {
  const Source source = ReadSource(roots.sys + "/devices/system/cpu/nohz_full");
  const auto tickless = ParseCpuList(source.text);
  if (source.presence == Presence::kUnreadable || cpu < 0 || !tickless) {
    return Advice("nohz_full", State::kUnknown, "cannot be told");
  }
  if (!Holds(*tickless, cpu)) return Advice("nohz_full", State::kGood, "off: the tick stays on");
  const std::string driver = ReadFact(CpuDirectory(roots, cpu) + "/cpufreq/scaling_driver");
  if (driver != "intel_pstate") return Advice("nohz_full", State::kGood, "on");
  return Advice("nohz_full", State::kBad, "on, with intel_pstate, which needs the tick",
                "boot with `intel_pstate=disable`, or without `nohz_full=`");
}

Requirement JudgeClocksource(const Roots& roots) {
  const std::string file = roots.sys + "/devices/system/clocksource/clocksource0/";
  const std::string clock = ReadFact(file + "current_clocksource");
  for (const char* quick : {"tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter",
                            "riscv_clocksource", "timebase", "tod"}) {
    if (clock == quick) return Advice("clocksource", State::kGood, clock);
  }
  for (const char* slow : {"hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit"}) {
    if (clock != slow) continue;
    return Advice(
        "clocksource", State::kBad, clock + ": each reading costs a system call or more",
        "`echo tsc | sudo tee " + file + "current_clocksource`; see `dmesg | grep -i tsc`");
  }
  return Advice("clocksource", State::kUnknown, clock);
}

Requirement JudgeVirtualisation(const Roots& roots, const Self& self) {
  const std::string hypervisor = Hypervisor(roots, self);
  const std::string release = ReadFact(roots.proc + "/sys/kernel/osrelease");
  const std::string remedy = "a machine of its own sees smaller changes";
  if (release.find("icrosoft") != std::string::npos) {
    return Advice("virtualisation", State::kBad, "WSL", remedy);
  }
  if (hypervisor == kUnknown) return Advice("virtualisation", State::kUnknown, "cannot be told");
  if (hypervisor == kNone) return Advice("virtualisation", State::kGood, "none");
  return Advice("virtualisation", State::kBad, "guest of " + hypervisor, remedy);
}

// One tick in a hundred: what the smallest useful tolerance (1 %) would already notice.
Requirement JudgeSteal(const Roots& roots, int cpu) {
  constexpr std::int64_t kOneIn = 100;
  const auto time = ReadCpuTime(roots, cpu);
  if (!time) return Advice("steal", State::kUnknown, "cannot be told");
  const std::string found =
      std::to_string(time->steal) + " of " + std::to_string(time->busy) + " busy ticks since boot";
  if (time->steal * kOneIn <= time->busy) return Advice("steal", State::kGood, found);
  return Advice("steal", State::kBad, found, "use a machine whose CPUs are not oversold");
}

Requirement JudgeLoad(const Roots& roots) {
  const auto load = LoadOfLastMinute(roots);
  if (!load) return Advice("load", State::kUnknown, "cannot be told");
  std::array<char, 64> text{};
  (void)std::snprintf(text.data(), text.size(), "%.2f in the last minute", *load);
  const std::string found = text.data();
  if (*load < 1) return Advice("load", State::kGood, found);
  return Advice("load", State::kBad, found, "end what runs beside it (`top`), or wait a minute");
}

Requirement JudgeRunnable(const Roots& roots) {
  const auto runnable = RunnableTasks(roots);
  if (!runnable) return Advice("runnable", State::kUnknown, "cannot be told");
  const auto others = std::max<std::int64_t>(*runnable - 1, 0);
  const std::string found = std::to_string(others) + " other tasks want to run";
  if (others == 0) return Advice("runnable", State::kGood, found);
  return Advice("runnable", State::kBad, found, "end what runs beside it (`top`)");
}

Requirement JudgeObservers(const Roots& roots) {
  const auto observers = FindObservers(roots);
  if (!observers) return Advice("observers", State::kUnknown, "cannot be told");
  if (observers->empty()) return Advice("observers", State::kGood, "none");
  std::string found;
  for (const std::string& name : *observers) found += (found.empty() ? "" : ", ") + name;
  return Advice("observers", State::kBad, found, "end it: probes make switches dearer");
}

}  // namespace

std::vector<Requirement> JudgeQuietness(const Roots& roots, int cpu, const Self& self) {
  return {JudgeIsolation(roots, cpu),  JudgeGovernor(roots, cpu),
          JudgeBoost(roots, cpu),      JudgeSibling(roots, cpu),
          JudgeIdleStates(roots, cpu), JudgeNohz(roots, cpu),
          JudgeClocksource(roots),     JudgeVirtualisation(roots, self),
          JudgeSteal(roots, cpu),      JudgeLoad(roots),
          JudgeRunnable(roots),        JudgeObservers(roots)};
}

}  // namespace ctxgate
