// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_TASK_SCHEDULING_CLASS_H_
#define CTXGATE_BENCH_TASK_SCHEDULING_CLASS_H_

#include <sched.h>

#include <string_view>

#include "ctxgate/bench/failure.h"

namespace ctxgate {

enum class SchedulingClass { kFifo, kOther };

// "fifo" or "other", as in the benchmarks' names.
std::string_view NameOf(SchedulingClass scheduling_class);

// FIFO priority of both tasks: below the 50 of threaded interrupt handlers on PREEMPT_RT, so that a
// burst cannot starve them.
inline constexpr int kFifoPriority = 49;

// True where the calling thread is in that class (and priority) on re-reading.
bool InClass(SchedulingClass scheduling_class);

// Puts the calling thread into a class and restores the former one at the end.
class ScopedSchedulingClass {
 public:
  ScopedSchedulingClass();
  ~ScopedSchedulingClass();
  ScopedSchedulingClass(const ScopedSchedulingClass&) = delete;
  ScopedSchedulingClass& operator=(const ScopedSchedulingClass&) = delete;

  // Refused where the kernel says no, an error where it said yes and did not do it.
  MaybeFailure Enter(SchedulingClass scheduling_class);

 private:
  int former_policy_;
  sched_param former_parameter_{};
};

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_TASK_SCHEDULING_CLASS_H_
