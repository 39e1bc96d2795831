// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_REPORTER_H_
#define CTXGATE_BENCH_REPORTER_H_

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace ctxgate {

// Google Benchmark's JSON with fixed names: the library appends its measurement plan
// ("/iterations:12500/manual_time") to every name, so that a changed plan would change the key.
class FixedNameReporter : public benchmark::JSONReporter {
 public:
  // CPU seconds of the measuring task by benchmark; the library itself would report those of the
  // loop that only hands the result over.
  explicit FixedNameReporter(const std::map<std::string, double>* cpu_seconds)
      : cpu_seconds_(cpu_seconds) {}

  void ReportRuns(const std::vector<Run>& runs) override;

 private:
  const std::map<std::string, double>* cpu_seconds_;
};

// The text with everything replaced that would make the library's JSON invalid: it writes control
// characters and broken UTF-8 as they are.
std::string JsonSafe(const std::string& text);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_REPORTER_H_
