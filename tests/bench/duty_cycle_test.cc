// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/task/duty_cycle.h"

#include <gtest/gtest.h>

#include "ctxgate/bench/clock.h"

namespace ctxgate {
namespace {

TEST(DutyCycle, StaysBelowTheBudget) {
  EXPECT_DOUBLE_EQ(DutyCycle::ShareFor(950'000, 1'000'000), 0.8);
  EXPECT_DOUBLE_EQ(DutyCycle::ShareFor(500'000, 1'000'000), 0.425);
  EXPECT_DOUBLE_EQ(DutyCycle::ShareFor(-1, 1'000'000), 0.8);
  EXPECT_DOUBLE_EQ(DutyCycle::ShareFor(0, 1'000'000), 0.05);
}

TEST(DutyCycle, RestsAtLeastAsLongAsTheShareSays) {
  const int64_t start = NowNs();
  DutyCycle(0.5).Rest(20'000'000);
  EXPECT_GE(NowNs() - start, 19'900'000);  // another clock than the one slept on
}

TEST(DutyCycle, NothingToRestFrom) {
  const int64_t start = NowNs();
  DutyCycle(1).Rest(1'000'000'000);
  EXPECT_LT(NowNs() - start, 900'000'000);
}

}  // namespace
}  // namespace ctxgate
