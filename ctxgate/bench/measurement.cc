// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/measurement.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ctxgate {
namespace {

// RT throttling takes the rest of each second: 50 ms with the default budget of 950 ms.
constexpr int64_t kGapMinNs = 45'000'000;
constexpr int64_t kGapMaxNs = 55'000'000;

}  // namespace

Plan Plan::Halved() const {
  Plan half = *this;
  half.batches = (batches + 1) / 2;
  return half;
}

std::string Plan::Describe() const {
  return std::to_string(batches) + "x" + std::to_string(round_trips) + "+" +
         std::to_string(warm_up);
}

double Quantile(std::vector<double> values, double fraction) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double rank = fraction * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], rank - static_cast<double>(below));
}

double Measurement::Mean() const {
  if (batch_means.empty()) return 0;
  return std::accumulate(batch_means.begin(), batch_means.end(), 0.0) /
         static_cast<double>(batch_means.size());
}

double Measurement::QuantileOf(double fraction) const {
  return histogram.Quantile(fraction) / block;
}

double Measurement::Max() const { return static_cast<double>(histogram.max()) / block; }

double Measurement::Floor() const { return Quantile(batch_means, 0.1); }

void Measurement::AddBatch(std::span<const int64_t> stamps, int warm_up, double cpu) {
  const std::span<const int64_t> timed = stamps.subspan(static_cast<std::size_t>(warm_up));
  for (std::size_t i = 1; i < timed.size(); ++i) {
    const int64_t elapsed = timed[i] - timed[i - 1];
    if (elapsed >= kGapMinNs && elapsed <= kGapMaxNs) ++evidence.rt_gaps;
    histogram.Add(elapsed);
  }
  const auto round_trips = static_cast<int64_t>(timed.size() - 1) * block;
  batch_means.push_back(static_cast<double>(timed.back() - timed.front()) /
                        static_cast<double>(round_trips));
  cpu_seconds += cpu;
}

}  // namespace ctxgate
