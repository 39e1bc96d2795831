// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_MEASUREMENT_H_
#define CTXGATE_BENCH_MEASUREMENT_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ctxgate/bench/histogram.h"
#include "ctxgate/bench/proof/evidence.h"

namespace ctxgate {

// How much a run measures. The numbers are part of the identity: the cheapest of more batches is
// cheaper.
struct Plan {
  int batches = 100;
  int round_trips = 256;  // timed in a batch; a multiple of every block
  int warm_up = 20;       // untimed before them, in whole blocks: the nap before cools the caches
  int audit_batches = 4;  // untimed, with the perf event open

  // With half the batches, for what has no gated tail: p99 alone needs so many samples.
  Plan Halved() const;
  // "100x256+20"
  std::string Describe() const;
};

// What one benchmark yields in one run; times in ns a round trip.
struct Measurement {
  Histogram histogram;              // of the durations of blocks
  std::vector<double> batch_means;  // one a timed batch
  int block = 1;                    // round trips timed as one
  double cpu_seconds = 0;           // of the measuring task, over all round trips of the evidence
  Evidence evidence;

  double Mean() const;
  double QuantileOf(double fraction) const;
  double Max() const;
  // The tenth percentile of the batch means: interference only adds, and a single batch that an
  // early timer or a host pause cut short cannot set it.
  double Floor() const;

  // Takes the stamps of one batch, the first `warm_up` blocks left out.
  void AddBatch(std::span<const int64_t> stamps, int warm_up, double cpu);
};

// The q-quantile of values, linear between order statistics (Hyndman and Fan's type 7); 0 of none.
double Quantile(std::vector<double> values, double fraction);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_MEASUREMENT_H_
