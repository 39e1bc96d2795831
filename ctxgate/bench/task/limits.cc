// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/task/limits.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>

namespace ctxgate {

ScopedMemoryLock::~ScopedMemoryLock() {
  if (locked_) munlockall();
}

MaybeFailure ScopedMemoryLock::Lock() {
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
    return Refused(RefusedCall::kMemoryLock, "locking memory", errno);
  }
  locked_ = true;
  return {};
}

ScopedRealTimeLimit::ScopedRealTimeLimit() {
  if (getrlimit(RLIMIT_RTTIME, &former_) != 0) return;
  rlimit bounded = former_;
  // Microseconds. Batches take some 10 ms; a second is a bug, not a slow machine. Only the soft
  // limit moves, since a lowered hard one could not be restored without privilege.
  bounded.rlim_cur = std::min<rlim_t>(former_.rlim_max, 1'000'000);
  changed_ = setrlimit(RLIMIT_RTTIME, &bounded) == 0;
}

ScopedRealTimeLimit::~ScopedRealTimeLimit() {
  if (changed_) setrlimit(RLIMIT_RTTIME, &former_);
}

}  // namespace ctxgate
