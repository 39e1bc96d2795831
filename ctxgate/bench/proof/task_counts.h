// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_PROOF_TASK_COUNTS_H_
#define CTXGATE_BENCH_PROOF_TASK_COUNTS_H_

#include <cstdint>

namespace ctxgate {

// The kernel's own counts for one task since it began.
struct TaskCounts {
  int64_t voluntary = 0;    // switches because it blocked
  int64_t involuntary = 0;  // switches because another task took the CPU
  int64_t page_faults = 0;  // minor and major

  int64_t switches() const { return voluntary + involuntary; }
};

TaskCounts operator-(const TaskCounts& later, const TaskCounts& earlier);
TaskCounts& operator+=(TaskCounts& total, const TaskCounts& part);

// Counts of the calling thread (getrusage(2), RUSAGE_THREAD: ru_nvcsw and ru_nivcsw, which
// __schedule() in kernel/sched/core.c counts for every task at no further cost). They need no right
// and are right for unprivileged users, where a perf software event silently counts 0.
TaskCounts ReadTaskCounts();

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_PROOF_TASK_COUNTS_H_
