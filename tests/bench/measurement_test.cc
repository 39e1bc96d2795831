// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/measurement.h"

#include <gtest/gtest.h>

#include <vector>

namespace ctxgate {
namespace {

// Stamps of round trips that last so many ns.
std::vector<int64_t> Stamps(const std::vector<int64_t>& durations) {
  std::vector<int64_t> stamps = {1'000'000};
  for (const int64_t duration : durations) stamps.push_back(stamps.back() + duration);
  return stamps;
}

TEST(Measurement, LeavesOutTheWarmUpAndAveragesTheRest) {
  Measurement measurement;
  measurement.AddBatch(Stamps({9000, 9000, 100, 120, 140}), 2, 0.5);
  EXPECT_EQ(measurement.histogram.count(), 3);
  EXPECT_DOUBLE_EQ(measurement.Mean(), 120);
  EXPECT_DOUBLE_EQ(measurement.Max(), 140);
  EXPECT_DOUBLE_EQ(measurement.cpu_seconds, 0.5);
}

TEST(Measurement, TimesOfBlocksAreDividedByTheirLength) {
  Measurement measurement;
  measurement.block = 32;
  measurement.AddBatch(Stamps({3200, 6400}), 0, 0);
  EXPECT_DOUBLE_EQ(measurement.Mean(), 150);
  EXPECT_DOUBLE_EQ(measurement.Max(), 200);
  EXPECT_NEAR(measurement.QuantileOf(0.5), 100, 1);
}

TEST(Measurement, TheFloorIsTheTenthPercentileOfTheBatches) {
  Measurement measurement;
  for (int64_t duration = 1000; duration <= 2000; duration += 100) {
    measurement.AddBatch(Stamps({duration, duration}), 0, 0);
  }
  EXPECT_DOUBLE_EQ(measurement.Floor(), 1100);  // rank 1 of 0..10
  EXPECT_DOUBLE_EQ(measurement.Mean(), 1500);
}

TEST(Measurement, OnlyGapsOfFortyFiveToFiftyFiveMillisecondsCount) {
  Measurement measurement;
  measurement.AddBatch(Stamps({5000, 44'900'000, 50'000'000, 55'000'000, 55'100'000}), 0, 0);
  EXPECT_EQ(measurement.evidence.rt_gaps, 2);
}

TEST(Quantile, InterpolatesBetweenOrderStatistics) {
  EXPECT_DOUBLE_EQ(Quantile({4, 1, 3, 2}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(Quantile({4, 1, 3, 2}, 0), 1);
  EXPECT_DOUBLE_EQ(Quantile({4, 1, 3, 2}, 1), 4);
  EXPECT_DOUBLE_EQ(Quantile({}, 0.5), 0);
}

TEST(Plan, DescribesItself) {
  EXPECT_EQ(Plan{}.Describe(), "100x256+20");
  EXPECT_EQ(Plan{}.Halved().Describe(), "50x256+20");
}

}  // namespace
}  // namespace ctxgate
