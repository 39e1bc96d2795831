// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/task/duty_cycle.h"

#include <time.h>

#include <algorithm>

namespace ctxgate {

double DutyCycle::ShareFor(int64_t runtime_us, int64_t period_us) {
  constexpr double kMost = 0.8;
  if (runtime_us < 0 || period_us <= 0) return kMost;
  const double budget = static_cast<double>(runtime_us) / static_cast<double>(period_us);
  return std::clamp(0.85 * budget, 0.05, kMost);
}

void DutyCycle::Rest(int64_t busy_ns) const {
  const auto nap = static_cast<int64_t>(static_cast<double>(busy_ns) * (1 / busy_share_ - 1));
  if (nap <= 0) return;
  const timespec time = {nap / 1'000'000'000, static_cast<long>(nap % 1'000'000'000)};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr);  // cut short by a deadline: harmless
}

}  // namespace ctxgate
