// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_CLOCK_H_
#define CTXGATE_BENCH_CLOCK_H_

#include <time.h>

#include <cstdint>

namespace ctxgate {

// Nanoseconds since an arbitrary start, never slewed by NTP (clock_gettime(2), CLOCK_MONOTONIC_RAW;
// served by the vDSO since Linux 5.3, 25-40 ns a call on current x86).
inline int64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// The least cost of one NowNs() call in ns, over 1,000 pairs.
double ClockCostNs();

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_CLOCK_H_
