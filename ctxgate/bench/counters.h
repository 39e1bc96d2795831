// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_COUNTERS_H_
#define CTXGATE_BENCH_COUNTERS_H_

#include <benchmark/benchmark.h>

#include "ctxgate/bench/benchmark_set.h"

namespace ctxgate {

// The counters of a row: proof, quantiles and version, all under the prefix "ctxgate.", counts per
// round trip, times in ns.
void AddCounters(const Result& result, bool valid, benchmark::UserCounters* counters);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_COUNTERS_H_
