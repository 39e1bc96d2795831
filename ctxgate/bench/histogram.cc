// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/histogram.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace ctxgate {
namespace {

constexpr int kSubBits = 7;  // 128 buckets an octave
constexpr int64_t kSub = int64_t{1} << kSubBits;
constexpr int kMaxBits = 40;
constexpr std::size_t kBuckets = static_cast<std::size_t>((kMaxBits - kSubBits + 1) * kSub);

}  // namespace

Histogram::Histogram() : counts_(kBuckets, 0) {}

std::size_t Histogram::BucketOf(int64_t value_ns) {
  if (value_ns < kSub) return static_cast<std::size_t>(std::max<int64_t>(value_ns, 0));
  const int shift = std::countl_zero(static_cast<uint64_t>(kSub)) -
                    std::countl_zero(static_cast<uint64_t>(value_ns));
  const std::size_t bucket = static_cast<std::size_t>(shift * kSub + (value_ns >> shift));
  return std::min(bucket, kBuckets - 1);
}

int64_t Histogram::BucketWidth(std::size_t bucket) {
  const auto index = static_cast<int64_t>(bucket);
  return index < 2 * kSub ? 1 : int64_t{1} << (index / kSub - 1);
}

int64_t Histogram::BucketStart(std::size_t bucket) {
  const auto index = static_cast<int64_t>(bucket);
  return index < 2 * kSub ? index : (index % kSub + kSub) * BucketWidth(bucket);
}

void Histogram::Add(int64_t value_ns) {
  ++counts_[BucketOf(value_ns)];
  ++count_;
  sum_ += static_cast<double>(value_ns);
  max_ = std::max(max_, value_ns);
}

double Histogram::Mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }

double Histogram::Quantile(double fraction) const {
  if (count_ == 0) return 0;
  const double rank = fraction * static_cast<double>(count_);
  double below = 0;
  for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
    const auto here = static_cast<double>(counts_[bucket]);
    if (here > 0 && below + here >= rank) {
      const double inside = std::max(0.0, rank - below) / here;
      const double value = static_cast<double>(BucketStart(bucket)) +
                           inside * static_cast<double>(BucketWidth(bucket));
      return std::min(value, static_cast<double>(max_));
    }
    below += here;
  }
  return static_cast<double>(max_);
}

}  // namespace ctxgate
