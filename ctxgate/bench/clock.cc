// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/clock.h"

#include <algorithm>

namespace ctxgate {

double ClockCostNs() {
  constexpr int kCalls = 16;  // a single pair is quantised to the counter's tick
  double least = 1e9;
  for (int round = 0; round < 1000; ++round) {
    const int64_t start = NowNs();
    int64_t end = start;
    for (int call = 0; call < kCalls; ++call) end = NowNs();
    least = std::min(least, static_cast<double>(end - start) / kCalls);
  }
  return least;
}

}  // namespace ctxgate
