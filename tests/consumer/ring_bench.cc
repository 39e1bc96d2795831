// SPDX-License-Identifier: Apache-2.0
// A benchmark as any project has one: a ring buffer, without a switch. RING_ROUNDS makes it dearer.

#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

std::size_t Rounds() {
  const char* rounds = std::getenv("RING_ROUNDS");
  return rounds == nullptr ? 100 : std::strtoul(rounds, nullptr, 10);
}

void BM_RingPush(benchmark::State& state) {
  const std::size_t rounds = Rounds();
  std::array<std::uint64_t, 256> ring{};
  for (auto _ : state) {
    for (std::size_t head = 0; head < rounds; ++head) {
      ring[head % ring.size()] = head;
      benchmark::ClobberMemory();
    }
    benchmark::DoNotOptimize(ring.data());
  }
}
BENCHMARK(BM_RingPush)->MinTime(0.02);

}  // namespace
