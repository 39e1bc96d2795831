// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_TASK_LIMITS_H_
#define CTXGATE_BENCH_TASK_LIMITS_H_

#include <sys/resource.h>

#include "ctxgate/bench/failure.h"

namespace ctxgate {

// Locks the calling process's memory, present and future, and unlocks it at the end. Locks are not
// inherited over fork(2), so the partner process takes its own.
class ScopedMemoryLock {
 public:
  ScopedMemoryLock() = default;
  ~ScopedMemoryLock();
  ScopedMemoryLock(const ScopedMemoryLock&) = delete;
  ScopedMemoryLock& operator=(const ScopedMemoryLock&) = delete;

  MaybeFailure Lock();

 private:
  bool locked_ = false;
};

// Bounds the time that a real-time task may run without blocking (RLIMIT_RTTIME, setrlimit(2)), so
// that a bug cannot take a CPU from its owner: the kernel ends the task after one second.
class ScopedRealTimeLimit {
 public:
  ScopedRealTimeLimit();
  ~ScopedRealTimeLimit();
  ScopedRealTimeLimit(const ScopedRealTimeLimit&) = delete;
  ScopedRealTimeLimit& operator=(const ScopedRealTimeLimit&) = delete;

 private:
  rlimit former_{};
  bool changed_ = false;
};

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_TASK_LIMITS_H_
