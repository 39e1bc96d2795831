// SPDX-License-Identifier: Apache-2.0
// One small program whose outputs are the recorded files in ../files; see ../files/README.md.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <thread>
#include <vector>

namespace {

void Spin(benchmark::State& state) {
  int value = 0;
  for (auto _ : state) {
    for (int i = 0; i < 1000; ++i) benchmark::DoNotOptimize(value += i);
  }
}
BENCHMARK(Spin);

void Labelled(benchmark::State& state) {
  Spin(state);
  state.SetLabel("5 \xc2\xb5s, \"quoted\", back\\slash");
}
BENCHMARK(Labelled)->Name("Quoted/\"name\"/back\\slash");

void ControlLabel(benchmark::State& state) {
  Spin(state);
  state.SetLabel("red \x1b[31m");
}
BENCHMARK(ControlLabel);

void FailsBefore(benchmark::State& state) {
  state.SkipWithError("no rights\x01");
  for (auto _ : state) {
  }
}
BENCHMARK(FailsBefore);

void FailsOnce(benchmark::State& state) {
  static int calls = 0;
  if (++calls == 2) state.SkipWithError("the second time");
  for (auto _ : state) {
  }
}
BENCHMARK(FailsOnce)->Iterations(10);

void NotANumber(benchmark::State& state) {
  Spin(state);
  state.counters["ratio"] = std::nan("");
}
BENCHMARK(NotANumber);

void Infinite(benchmark::State& state) {
  Spin(state);
  state.counters["ratio"] = std::numeric_limits<double>::infinity();
}
BENCHMARK(Infinite);

void BigCounter(benchmark::State& state) {
  Spin(state);
  state.counters["large"] = 9007199254740993.0;  // 2^53 + 1 is not kept
}
BENCHMARK(BigCounter);

void Shadowing(benchmark::State& state) {
  Spin(state);
  state.counters["real_time"] = 1.0;
}
BENCHMARK(Shadowing);

void ManualZero(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(0.0);
}
BENCHMARK(ManualZero)->UseManualTime()->Iterations(10);

void ManualNegative(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(-1e-6);
}
BENCHMARK(ManualNegative)->UseManualTime()->Iterations(10);

void ManualNan(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(std::nan(""));
}
BENCHMARK(ManualNan)->UseManualTime()->Iterations(10);

void ManualMicroseconds(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(3e-6);
}
BENCHMARK(ManualMicroseconds)->UseManualTime()->Iterations(10)->Unit(benchmark::kMicrosecond);

void Fitted(benchmark::State& state) {
  for (auto _ : state) {
    for (int64_t i = 0; i < state.range(0); ++i) benchmark::DoNotOptimize(i);
  }
  state.SetComplexityN(state.range(0));
}
BENCHMARK(Fitted)->RangeMultiplier(4)->Range(64, 1024)->Complexity(benchmark::oN);

void Threads(benchmark::State& state) { Spin(state); }
BENCHMARK(Threads)->Threads(2)->UseRealTime();

void Seconds(benchmark::State& state) { Spin(state); }
BENCHMARK(Seconds)->Unit(benchmark::kSecond)->Iterations(1);

void OwnStatistic(benchmark::State& state) { Spin(state); }
BENCHMARK(OwnStatistic)->ComputeStatistics("top", [](const std::vector<double>& values) {
  double top = 0;
  for (double value : values) top = std::max(top, value);
  return top;
});

void NoLoop(benchmark::State& state) { benchmark::DoNotOptimize(state.range()); }
BENCHMARK(NoLoop)->Arg(1);

void Dies(benchmark::State& state) {
  for (auto _ : state) std::abort();
}
BENCHMARK(Dies);

}  // namespace

BENCHMARK_MAIN();
