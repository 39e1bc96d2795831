// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_OPTIONS_H_
#define CTXGATE_BENCH_OPTIONS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ctxgate/bench/failure.h"
#include "ctxgate/bench/task/scheduling_class.h"

namespace ctxgate {

struct Options {
  enum class Action { kMeasure, kFacts, kList, kHelp, kVersion };
  Action action = Action::kMeasure;
  std::string filter = "";   // searched in the fixed names; empty matches all
  std::string require = "";  // names that must be measurable
  std::optional<int> cpu;
  std::optional<SchedulingClass> scheduling_class;  // both where empty
  std::string out;                                  // standard output where empty
  uint64_t seed = 0;
  int deadline_seconds = 30;  // for each benchmark
  bool audit = false;
  std::map<std::string, std::string> context;
};

// Reads the command line (without the program's name). Google Benchmark's own spellings
// --benchmark_out, --benchmark_filter, --benchmark_list_tests and --benchmark_format=json mean the
// same as ours, so that tools which run benchmark programs can run this one.
MaybeFailure ParseOptions(const std::vector<std::string>& arguments, Options* options);

std::string_view UsageText();

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_OPTIONS_H_
