// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/reporter.h"

namespace ctxgate {

void FixedNameReporter::ReportRuns(const std::vector<Run>& runs) {
  std::vector<Run> renamed = runs;
  for (Run& run : renamed) {
    benchmark::BenchmarkName name;
    name.function_name = run.run_name.function_name;
    run.run_name = name;
    const auto cpu = cpu_seconds_->find(name.function_name);
    if (cpu != cpu_seconds_->end()) run.cpu_accumulated_time = cpu->second;
  }
  JSONReporter::ReportRuns(renamed);
}

std::string JsonSafe(const std::string& text) {
  std::string safe;
  for (const char letter : text) {
    const bool plain = letter >= ' ' && letter < 127;
    safe += plain ? letter : '?';
  }
  return safe;
}

}  // namespace ctxgate
