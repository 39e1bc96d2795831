// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/canary.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>

#include "ctxgate/bench/clock.h"
#include "ctxgate/bench/paths/switch_path.h"
#include "ctxgate/bench/proof/thread_cpu_time.h"
#include "ctxgate/bench/task/affinity.h"
#include "ctxgate/bench/task/scheduling_class.h"

namespace ctxgate {
namespace {

// Keeps the compiler from dropping a loop whose result nobody reads.
void Keep(uint64_t value) { asm volatile("" : : "r"(value)); }

// A chain of 64 dependent multiplications (splitmix64's mixer) a step: about 100 ns, no memory.
void Arithmetic(int steps) {
  uint64_t x = 1;
  for (int i = 0; i < steps * 64; ++i) x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  Keep(x);
}

void NullSyscall(int steps) {
  for (int i = 0; i < steps; ++i) syscall(SYS_getppid);
}

// A random cycle through 16 MiB in lines of 64 bytes, so that a step misses the caches of one core
// (1-2 MiB on current x86 and arm64 servers).
class PointerChase {
 public:
  PointerChase() : lines_(kLines) {
    std::vector<uint32_t> order(kLines);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), std::mt19937(1));
    for (std::size_t i = 0; i < kLines; ++i) lines_[order[i]].next = order[(i + 1) % kLines];
  }
  void Walk(int steps) {
    for (int i = 0; i < steps; ++i) at_ = lines_[at_].next;
    Keep(at_);
  }

 private:
  struct alignas(64) Line {
    uint32_t next = 0;
  };
  static constexpr std::size_t kLines = std::size_t{16} * 1024 * 1024 / sizeof(Line);
  std::vector<Line> lines_;
  uint32_t at_ = 0;
};

void CacheMiss(int steps) {
  static PointerChase chase;
  chase.Walk(steps);
}

}  // namespace

const std::vector<CanaryDefinition>& AllCanaries() {
  // Blocks of 30-100 us: long against the clock's 25-40 ns, short against the tick's 1-10 ms.
  static const std::vector<CanaryDefinition> canaries = {
      {.name = "arithmetic", .version = 1, .block = 256, .run = Arithmetic},
      {.name = "null_syscall", .version = 1, .block = 256, .run = NullSyscall},
      {.name = "cache_miss", .version = 1, .block = 1024, .run = CacheMiss},
  };
  return canaries;
}

MaybeFailure MeasureCanary(const CanaryDefinition& definition, int cpu, int batches,
                           Measurement* result) {
  PinnedToCpu affinity;
  ScopedSchedulingClass scheduling_class;
  if (auto failure = affinity.Pin(cpu)) return failure;
  if (auto failure = scheduling_class.Enter(SchedulingClass::kOther)) return failure;
  result->block = definition.block;
  std::vector<int64_t> stamps(kCanaryBlocks + 2);
  for (int batch = -1; batch < batches; ++batch) {
    const double cpu_before = ThreadCpuSeconds();
    const TaskCounts before = ReadTaskCounts();
    StampBlocks(stamps, 1, [&] {
      definition.run(definition.block);
      return true;
    });
    if (batch < 0) continue;  // page faults, cold caches and a CPU that speeds up
    Evidence& evidence = result->evidence;
    evidence.counts += ReadTaskCounts() - before;
    evidence.round_trips += static_cast<int64_t>(stamps.size() - 1) * definition.block;
    if (!RunsOnlyOn(cpu)) ++evidence.migrations;
    if (!InClass(SchedulingClass::kOther)) ++evidence.class_changes;
    result->AddBatch(stamps, 1, ThreadCpuSeconds() - cpu_before);
  }
  return {};
}

}  // namespace ctxgate
