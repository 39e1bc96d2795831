// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_PROOF_THREAD_CPU_TIME_H_
#define CTXGATE_BENCH_PROOF_THREAD_CPU_TIME_H_

#include <time.h>

namespace ctxgate {

// CPU time of the calling thread in seconds (clock_gettime(2), CLOCK_THREAD_CPUTIME_ID).
inline double ThreadCpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_PROOF_THREAD_CPU_TIME_H_
