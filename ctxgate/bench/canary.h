// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_CANARY_H_
#define CTXGATE_BENCH_CANARY_H_

#include <string_view>
#include <vector>

#include "ctxgate/bench/failure.h"
#include "ctxgate/bench/measurement.h"

namespace ctxgate {

// A loop that tells whether the machine itself changed between two sessions. The arithmetic and the
// cache-miss loop never enter the kernel; the null system call does and shows its entry path.
struct CanaryDefinition {
  std::string_view name;  // as in canary/<name>
  int version;
  int block;  // steps timed as one; a batch is kCanaryBlocks of them
  void (*run)(int steps);
};

inline constexpr int kCanaryBlocks = 10;

const std::vector<CanaryDefinition>& AllCanaries();

// Measures on the calling thread, pinned and under SCHED_OTHER, so that it needs no right.
MaybeFailure MeasureCanary(const CanaryDefinition& definition, int cpu, int batches,
                           Measurement* result);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_CANARY_H_
