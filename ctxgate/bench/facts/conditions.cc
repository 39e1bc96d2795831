// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/conditions.h"

#include "ctxgate/bench/facts/cpu.h"
#include "ctxgate/bench/facts/source.h"

namespace ctxgate {
namespace {

// The words of the line of /proc/stat that begins with `name`.
std::vector<std::string> StatLine(const Roots& roots, const std::string& name) {
  for (const std::string& line : Lines(ReadSource(roots.proc + "/stat").text)) {
    std::vector<std::string> words = Words(line);
    if (!words.empty() && words[0] == name) return words;
  }
  return {};
}

std::string FirstWords(const std::string& path, std::size_t count) {
  const Source source = ReadSource(path);
  if (!source.read()) return FactOf(source);
  const std::vector<std::string> words = Words(source.text);
  std::string text;
  for (std::size_t i = 0; i < count && i < words.size(); ++i) {
    text += (i == 0 ? "" : " ") + words[i];
  }
  return text.empty() ? kNone : text;
}

std::string CurrentFrequency(const Roots& roots, int cpu) {
  if (cpu < 0) return kUnknown;
  return ReadFact(CpuDirectory(roots, cpu) + "/cpufreq/scaling_cur_freq");
}

}  // namespace

std::optional<CpuTime> ReadCpuTime(const Roots& roots, int cpu) {
  // Fields: name user nice system idle iowait irq softirq steal guest guest_nice; the last two are
  // already counted in user and nice.
  const auto words = StatLine(roots, cpu < 0 ? "cpu" : "cpu" + std::to_string(cpu));
  if (words.size() < 9) return std::nullopt;
  CpuTime time;
  for (std::size_t field = 1; field <= 8; ++field) {
    const auto ticks = ToInteger(words[field]);
    if (!ticks) return std::nullopt;
    if (field != 4 && field != 5) time.busy += *ticks;
    if (field == 8) time.steal = *ticks;
  }
  return time;
}

std::optional<std::int64_t> RunnableTasks(const Roots& roots) {
  const auto words = StatLine(roots, "procs_running");
  return words.size() < 2 ? std::nullopt : ToInteger(words[1]);
}

std::optional<double> LoadOfLastMinute(const Roots& roots) {
  const auto words = Words(ReadSource(roots.proc + "/loadavg").text);
  return words.empty() ? std::nullopt : ToNumber(words[0]);
}

void AddConditions(const Roots& roots, int cpu, Facts& facts) {
  FactMap& record = facts.record;
  const auto time = ReadCpuTime(roots, cpu);
  const auto runnable = RunnableTasks(roots);
  record["load_average"] = FirstWords(roots.proc + "/loadavg", 3);
  record["uptime_s"] = FirstWords(roots.proc + "/uptime", 1);
  record["runnable_tasks"] = runnable ? std::to_string(*runnable) : kUnknown;
  record["steal_ticks"] = time ? std::to_string(time->steal) : kUnknown;
  record["pressure_cpu"] = FirstWords(roots.proc + "/pressure/cpu", 2);
  record["frequency_khz"] = CurrentFrequency(roots, cpu);
  record["throttle_count"] =
      cpu < 0 ? kUnknown
              : ReadFact(CpuDirectory(roots, cpu) + "/thermal_throttle/core_throttle_count");
  record["numa_nodes"] = ReadFact(roots.sys + "/devices/system/node/online");
  record["kernel_taint"] = ReadFact(roots.proc + "/sys/kernel/tainted");
  record["boot_id"] = ReadFact(roots.proc + "/sys/kernel/random/boot_id");
}

}  // namespace ctxgate
