// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/power.h"

#include "ctxgate/bench/facts/cpu.h"
#include "ctxgate/bench/facts/source.h"

namespace ctxgate {
namespace {

std::string FrequencyFile(const Roots& roots, int cpu, const std::string& name) {
  return CpuDirectory(roots, cpu) + "/cpufreq/" + name;
}

std::string FrequencyFact(const Roots& roots, int cpu, const std::string& name) {
  return cpu < 0 ? kUnknown : ReadFact(FrequencyFile(roots, cpu, name));
}

// The limits that somebody set, in kHz. The hardware's own range is left out: with preferred cores
// its upper end differs between boots of one machine.
std::string FrequencyLimits(const Roots& roots, int cpu) {
  const std::string low = FrequencyFact(roots, cpu, "scaling_min_freq");
  const std::string high = FrequencyFact(roots, cpu, "scaling_max_freq");
  if (low == kUnknown || high == kUnknown) return kUnknown;
  if (low == kNone && high == kNone) return kNone;
  const bool from_bottom = low == FrequencyFact(roots, cpu, "cpuinfo_min_freq");
  const bool to_top = high == FrequencyFact(roots, cpu, "cpuinfo_max_freq");
  return (from_bottom ? "lowest" : low) + "-" + (to_top ? "highest" : high);
}

std::string DescribeIdleStates(const Roots& roots, int cpu) {
  if (cpu < 0) return kUnknown;
  std::string text;
  for (const IdleState& state : IdleStates(roots, cpu)) {
    text += (text.empty() ? "" : ", ") + state.name + (state.enabled ? "" : " (disabled)");
  }
  return text.empty() ? kNone : text;
}

std::string IdleGovernor(const Roots& roots) {
  const std::string directory = roots.sys + "/devices/system/cpu/cpuidle/";
  // Kernels before 5.9 show the writable file only when asked to on the command line.
  const std::string governor = ReadFact(directory + "current_governor");
  return governor == kNone ? ReadFact(directory + "current_governor_ro") : governor;
}

}  // namespace

std::string Governor(const Roots& roots, int cpu) {
  return FrequencyFact(roots, cpu, "scaling_governor");
}

Boost FindBoost(const Roots& roots, int cpu) {
  const std::string cpus = roots.sys + "/devices/system/cpu";
  const std::string no_turbo = cpus + "/intel_pstate/no_turbo";
  const Source intel = ReadSource(no_turbo);
  const bool intel_off = ReadSource(cpus + "/intel_pstate/status").text == "off";
  if (intel.presence != Presence::kAbsent && !intel_off) {
    if (!intel.read()) return {kUnknown, no_turbo, "1"};
    return {intel.text == "0" ? "on" : "off", no_turbo, "1"};
  }
  // From 6.11 on a CPU has its own switch too, and boosts only where both allow it.
  const std::string own = FrequencyFile(roots, cpu, "boost");
  const std::string general = cpus + "/cpufreq/boost";
  for (const std::string& file : {general, own}) {
    const Source source = ReadSource(file);
    if (source.presence == Presence::kUnreadable) return {kUnknown, file, "0"};
    if (source.text == "0") return {"off", file, "0"};
  }
  for (const std::string& file : {general, own}) {
    if (ReadSource(file).read()) return {"on", file, "0"};
  }
  return {kNone, "", ""};
}

std::vector<IdleState> IdleStates(const Roots& roots, int cpu) {
  const std::string directory = CpuDirectory(roots, cpu) + "/cpuidle";
  std::vector<IdleState> states;
  for (const std::string& name : ListDirectory(directory).names) {
    if (name.rfind("state", 0) != 0) continue;
    const std::string state = directory + "/" + name;
    states.push_back({ReadFact(state + "/name"), ReadSource(state + "/disable").text != "1",
                      ToInteger(ReadSource(state + "/latency").text).value_or(0)});
  }
  return states;
}

void AddPowerFacts(const Roots& roots, int cpu, Facts& facts) {
  facts.identity["frequency_driver"] = FrequencyFact(roots, cpu, "scaling_driver");
  facts.identity["frequency_governor"] = Governor(roots, cpu);
  facts.identity["frequency_limits"] = FrequencyLimits(roots, cpu);
  facts.identity["energy_preference"] = FrequencyFact(roots, cpu, "energy_performance_preference");
  facts.identity["boost"] = FindBoost(roots, cpu).state;
  facts.identity["idle_driver"] =
      ReadFact(roots.sys + "/devices/system/cpu/cpuidle/current_driver");
  facts.identity["idle_governor"] = IdleGovernor(roots);
  facts.identity["idle_states"] = DescribeIdleStates(roots, cpu);
}

}  // namespace ctxgate
