// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_BENCHMARK_SET_H_
#define CTXGATE_BENCH_BENCHMARK_SET_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ctxgate/bench/canary.h"
#include "ctxgate/bench/failure.h"
#include "ctxgate/bench/path_measurement.h"
#include "ctxgate/bench/task/scheduling_class.h"

namespace ctxgate {

// One benchmark of one run, as it goes into the file.
struct Result {
  std::string name;
  int version = 1;
  Measurement measurement;
  ExpectedSwitches expected;
  SchedulingClass scheduling_class = SchedulingClass::kOther;
  int attempts = 1;      // measurements until the CPU was not crowded
  MaybeFailure failure;  // set where nothing was measured
};

// How and where this run measures.
struct Setting {
  int cpu = 0;
  bool cpu_is_isolated = false;
  double busy_share = 0.8;
  int deadline_seconds = 30;
  Plan plan;
};

// Benchmarks that are measured together: a path with its twins, or one canary.
class Group {
 public:
  virtual ~Group() = default;
  // Fixed names, in the order in which they are reported.
  virtual std::vector<std::string> Names() const = 0;
  // Round trips that are timed in a run, of each name.
  virtual int64_t TimedRoundTrips(const Plan& plan) const = 0;
  virtual std::vector<Result> Measure(const Setting& setting) const = 0;
  // Adds what the kernel's perf events say to the evidence.
  virtual void Audit(const Setting& setting, std::vector<Result>* results) const = 0;
};

// Every group of this program, those of one class only where `scheduling_class` is set.
std::vector<std::unique_ptr<Group>> MakeGroups(std::optional<SchedulingClass> scheduling_class);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_BENCHMARK_SET_H_
