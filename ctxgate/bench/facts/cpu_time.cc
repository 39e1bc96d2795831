// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/cpu_time.h"

#include <unistd.h>

#include <string>
#include <vector>

#include "ctxgate/bench/facts/source.h"

namespace ctxgate {

std::optional<double> StealMs(const Roots& roots, int cpu) {
  constexpr std::size_t kSteal = 8;  // after the name: user nice system idle iowait irq softirq
  const std::string name = "cpu" + std::to_string(cpu);
  for (const std::string& line : Lines(ReadSource(roots.proc + "/stat").text)) {
    const std::vector<std::string> words = Words(line);
    if (words.empty() || words.front() != name) continue;
    const auto ticks = words.size() > kSteal ? ToInteger(words[kSteal]) : std::nullopt;
    if (!ticks) return {};
    return static_cast<double>(*ticks) * 1000 / static_cast<double>(sysconf(_SC_CLK_TCK));
  }
  return {};
}

RealTimeBudget ReadRealTimeBudget(const Roots& roots) {
  RealTimeBudget budget;
  const std::string folder = roots.proc + "/sys/kernel/";
  const auto runtime = ToInteger(ReadSource(folder + "sched_rt_runtime_us").text);
  const auto period = ToInteger(ReadSource(folder + "sched_rt_period_us").text);
  if (runtime) budget.runtime_us = *runtime;
  if (period) budget.period_us = *period;
  return budget;
}

}  // namespace ctxgate
