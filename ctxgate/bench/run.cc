// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <regex>
#include <set>
#include <thread>

#include "ctxgate/bench/clock.h"
#include "ctxgate/bench/counters.h"
#include "ctxgate/bench/facts/cpu_time.h"
#include "ctxgate/bench/facts/facts.h"
#include "ctxgate/bench/facts/refusal.h"
#include "ctxgate/bench/reporter.h"

namespace ctxgate {
namespace {

// Google Benchmark reads its flags from BENCHMARK_* variables too, and a stray one would drop or
// repeat rows in silence; flags given here win over the environment.
void InitializeLibrary() {
  // Static, because the library keeps a pointer to the program's name.
  static std::vector<std::string> flags = {"ctxgate-bench",
                                           "--benchmark_filter=.",
                                           "--benchmark_out=",
                                           "--benchmark_repetitions=1",
                                           "--benchmark_perf_counters=",
                                           "--benchmark_min_warmup_time=0",
                                           "--benchmark_list_tests=false",
                                           "--benchmark_report_aggregates_only=false",
                                           "--benchmark_enable_random_interleaving=false",
                                           "--benchmark_dry_run=false"};
  std::vector<char*> arguments;
  std::ranges::transform(flags, std::back_inserter(arguments),
                         [](std::string& flag) { return flag.data(); });
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
}

}  // namespace

RunOutcome Run::Execute(const std::vector<std::unique_ptr<Group>>& groups, std::ostream& json,
                        std::ostream& err) {
  InitializeLibrary();
  benchmark::ClearRegisteredBenchmarks();
  AddContext();
  MeasureAll(groups);
  for (const auto& group : groups) {
    for (const Result& result : results_[group.get()]) Register(*group, result);
  }
  FixedNameReporter reporter(&cpu_seconds_);
  reporter.SetOutputStream(&json);
  reporter.SetErrorStream(&err);
  const std::size_t count = benchmark::RunSpecifiedBenchmarks(&reporter);
  if (count == 0) outcome_.proven = false;
  std::set<std::string> said;
  for (const std::string& complaint : complaints_) {
    if (said.insert(complaint).second) err << "ctxgate-bench: " << complaint << "\n";
  }
  return outcome_;
}

void Run::AddContext() const {
  std::map<std::string, std::string> context = {
      {"ctxgate.schema", "1"},
      {"ctxgate.clock", "ns"},
      {"ctxgate.unavailable", "{}"},
      {"ctxgate.identity.plan",
       setting_.plan.Describe() + ", others " + setting_.plan.Halved().Describe()},
      {"ctxgate.record.seed", std::to_string(options_.seed)},
      {"ctxgate.record.clock_cost_ns", std::to_string(std::lround(ClockCostNs()))},
  };
  const Facts facts = CollectFacts(roots_, setting_.cpu);
  for (const auto& [fact, value] : facts.identity) context["ctxgate.identity." + fact] = value;
  for (const auto& [fact, value] : facts.subject) context["ctxgate.subject." + fact] = value;
  for (const auto& [fact, value] : facts.record) context["ctxgate.record." + fact] = value;
  for (const auto& [key, value] : options_.context) context[key] = value;
  for (const auto& [key, value] : context) {
    benchmark::AddCustomContext(JsonSafe(key), JsonSafe(value));
  }
}

// All is measured before anything is reported, so that no report is written between two batches.
void Run::MeasureAll(const std::vector<std::unique_ptr<Group>>& groups) {
  for (const auto& group : groups) {
    const double steal_before = StealMs(roots_, setting_.cpu).value_or(0);
    std::vector<Result>& results = results_[group.get()] = group->Measure(setting_);
    const double steal = StealMs(roots_, setting_.cpu).value_or(0) - steal_before;
    for (Result& result : results) result.measurement.evidence.steal_ms = steal;
    // What is refused once is refused again, and no file will be written.
    if (results.front().failure && results.front().failure->kind == Failure::Kind::kRefused) return;
  }
  if (!options_.audit && !setting_.cpu_is_isolated) return;
  for (const auto& group : groups) group->Audit(setting_, &results_[group.get()]);
  // Until the kernel has switched its perf hooks off again, within a second, the next run would
  // read 3 % more.
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
}

void Run::Register(const Group& group, const Result& result) {
  if (!std::regex_search(result.name, std::regex(options_.filter))) return;
  benchmark::RegisterBenchmark(
      result.name.c_str(),
      [this, &group, &result](benchmark::State& state) { Report(group, result, state); })
      ->Iterations(group.TimedRoundTrips(setting_.plan))
      ->UseManualTime()
      ->Unit(benchmark::kNanosecond);
}

void Run::Report(const Group& group, const Result& result, benchmark::State& state) {
  if (result.failure) {
    outcome_.proven = false;
    // A path and its twins fail together: said once, of no path where the machine refused them all.
    const std::string why = WhyFailed(*result.failure);
    complaints_.push_back(result.failure->call ? why : group.Names().front() + ": " + why);
    if (result.failure->kind == Failure::Kind::kRefused) outcome_.refused = true;
    state.SkipWithError(JsonSafe(result.failure->message).c_str());
    return;
  }
  const auto why =
      WhyUnproven(result.measurement.evidence, result.expected, result.scheduling_class);
  if (why) Explain(result, *why);
  const double seconds = result.measurement.Mean() * 1e-9;
  for (auto _ : state) state.SetIterationTime(seconds);
  // CPU time of as many round trips as the row says iterations.
  cpu_seconds_[result.name] = result.measurement.cpu_seconds *
                              static_cast<double>(state.iterations()) /
                              static_cast<double>(result.measurement.evidence.round_trips);
  AddCounters(result, !why, &state.counters);
  if (result.measurement.block > 1) {
    state.SetLabel("timed in blocks of " + std::to_string(result.measurement.block));
  }
}

std::string Run::WhyFailed(const Failure& failure) const {
  if (!failure.call) return failure.message;
  return ExplainRefusal(roots_, *failure.call, failure.error_number, setting_.cpu, kFifoPriority);
}

void Run::Explain(const Result& result, const std::string& why) {
  outcome_.proven = false;
  complaints_.push_back(result.name + ": " + why);
}

}  // namespace ctxgate
