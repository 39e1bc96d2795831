// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_RUN_H_
#define CTXGATE_BENCH_RUN_H_

#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "ctxgate/bench/benchmark_set.h"
#include "ctxgate/bench/facts/roots.h"
#include "ctxgate/bench/options.h"

namespace ctxgate {

struct RunOutcome {
  bool proven = true;    // every row is a proven reading
  bool refused = false;  // the machine refused the class, the CPU or the lock
};

// One run: the chosen groups measured, and reported through Google Benchmark as one JSON document.
class Run {
 public:
  Run(const Options& options, const Setting& setting, const Roots& roots)
      : options_(options), setting_(setting), roots_(roots) {}

  // Measures the groups in the order given; what failed or is not proven is also said on `err`.
  RunOutcome Execute(const std::vector<std::unique_ptr<Group>>& groups, std::ostream& json,
                     std::ostream& err);

 private:
  void AddContext() const;
  void MeasureAll(const std::vector<std::unique_ptr<Group>>& groups);
  void Register(const Group& group, const Result& result);
  void Report(const Group& group, const Result& result, benchmark::State& state);
  std::string WhyFailed(const Failure& failure) const;
  void Explain(const Result& result, const std::string& why);

  const Options& options_;
  const Setting& setting_;
  const Roots& roots_;
  std::map<const Group*, std::vector<Result>> results_;
  std::map<std::string, double> cpu_seconds_;
  std::vector<std::string> complaints_;
  RunOutcome outcome_;
};

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_RUN_H_
