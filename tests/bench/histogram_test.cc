// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/histogram.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace ctxgate {
namespace {

TEST(Histogram, BucketsAreContiguousAndAtMostOnePercentWide) {
  int64_t next = 0;
  for (std::size_t bucket = 0; bucket < 4352; ++bucket) {
    EXPECT_EQ(Histogram::BucketStart(bucket), next) << bucket;
    next += Histogram::BucketWidth(bucket);
    EXPECT_LE(static_cast<double>(Histogram::BucketWidth(bucket)),
              std::max(1.0, 0.01 * static_cast<double>(Histogram::BucketStart(bucket))));
  }
  EXPECT_EQ(next, int64_t{1} << 40);
}

TEST(Histogram, EveryValueFallsIntoTheBucketThatHoldsIt) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const auto value = static_cast<int64_t>(random() >> (24 + random() % 40));
    const std::size_t bucket = Histogram::BucketOf(value);
    EXPECT_LE(Histogram::BucketStart(bucket), value);
    EXPECT_LT(value, Histogram::BucketStart(bucket) + Histogram::BucketWidth(bucket));
  }
}

TEST(Histogram, CountsMeanAndMaximumAreExact) {
  Histogram histogram;
  for (const int64_t value : std::vector<int64_t>{100, 300, 5'000'000'000'000})
    histogram.Add(value);
  EXPECT_EQ(histogram.count(), 3);
  EXPECT_EQ(histogram.max(), 5'000'000'000'000);
  EXPECT_DOUBLE_EQ(histogram.Mean(), 5'000'000'000'400.0 / 3);
  EXPECT_EQ(Histogram::BucketOf(5'000'000'000'000), 4351U);  // the last one takes what is beyond
}

TEST(Histogram, QuantilesOfAUniformRampAreWithinOneBucket) {
  Histogram histogram;
  for (int64_t value = 1; value <= 100'000; ++value) histogram.Add(value);
  for (const double fraction : {0.01, 0.1, 0.5, 0.9, 0.99, 0.999}) {
    EXPECT_NEAR(histogram.Quantile(fraction), fraction * 100'000, 0.01 * fraction * 100'000 + 1);
  }
  EXPECT_LE(histogram.Quantile(1), 100'000);
}

TEST(Histogram, QuantilesNeverDecreaseNorExceedTheMaximum) {
  Histogram histogram;
  histogram.Add(5000);
  for (int i = 0; i < 19; ++i) histogram.Add(4000 + i);
  double before = 0;
  for (double fraction = 0; fraction <= 1; fraction += 0.01) {
    const double value = histogram.Quantile(fraction);
    EXPECT_GE(value, before);
    EXPECT_LE(value, 5000);
    before = value;
  }
}

TEST(Histogram, WithoutSamplesEverythingIsZero) {
  const Histogram histogram;
  EXPECT_EQ(histogram.count(), 0);
  EXPECT_EQ(histogram.Quantile(0.5), 0);
  EXPECT_EQ(histogram.Mean(), 0);
}

}  // namespace
}  // namespace ctxgate
