// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_HISTOGRAM_H_
#define CTXGATE_BENCH_HISTOGRAM_H_

#include <cstdint>
#include <vector>

namespace ctxgate {

// Log-linear histogram of durations in ns: exact below 128 ns, above that 128 buckets an octave, so
// a bucket is at most 1/128 = 0.8 % of its value wide (HdrHistogram's layout). Values beyond
// 2^40 ns (18 minutes) fall into the last bucket; count, sum and maximum stay exact.
class Histogram {
 public:
  Histogram();

  void Add(int64_t value_ns);

  int64_t count() const { return count_; }
  int64_t max() const { return max_; }
  double Mean() const;

  // The value below which `fraction` (0 to 1) of the samples lie, linear within a bucket and never
  // above the maximum; 0 without samples.
  double Quantile(double fraction) const;

  // First value of a bucket and its width; public for the tests of the bucket layout.
  static int64_t BucketStart(std::size_t bucket);
  static int64_t BucketWidth(std::size_t bucket);
  static std::size_t BucketOf(int64_t value_ns);

 private:
  std::vector<int64_t> counts_;
  int64_t count_ = 0;
  int64_t max_ = 0;
  double sum_ = 0;
};

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_HISTOGRAM_H_
