// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_SCHEDULING_H_
#define CTXGATE_BENCH_FACTS_SCHEDULING_H_

#include "ctxgate/bench/facts/fact_map.h"
#include "ctxgate/bench/facts/roots.h"
#include "ctxgate/bench/facts/self.h"

namespace ctxgate {

/// Adds the terms on which this process runs: limits of the real-time class, isolation of the
/// measured CPU, address randomisation, a seccomp filter. `nohz_full=` is subject: it makes the
/// kernel itself switch differently, while `isolcpus=` only keeps others away.
void AddSchedulingFacts(const Roots& roots, int cpu, const Self& self, Facts& facts);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_SCHEDULING_H_
