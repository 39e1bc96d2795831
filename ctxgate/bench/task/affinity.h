// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_TASK_AFFINITY_H_
#define CTXGATE_BENCH_TASK_AFFINITY_H_

#include <sched.h>

#include <vector>

#include "ctxgate/bench/failure.h"

namespace ctxgate {

// The CPUs the calling thread may run on, ascending (sched_getaffinity(2)).
std::vector<int> AllowedCpus();

// True while the calling thread may run on `cpu` alone and does: the mask and the CPU are read
// back, because a seccomp filter can let sched_setaffinity(2) return 0 without doing anything.
bool RunsOnlyOn(int cpu);

// Pins the calling thread to one CPU and restores the former mask at the end.
class PinnedToCpu {
 public:
  PinnedToCpu();
  ~PinnedToCpu();
  PinnedToCpu(const PinnedToCpu&) = delete;
  PinnedToCpu& operator=(const PinnedToCpu&) = delete;

  // Refused where the kernel says no, an error where it said yes and did not do it.
  MaybeFailure Pin(int cpu);

 private:
  cpu_set_t former_;
};

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_TASK_AFFINITY_H_
