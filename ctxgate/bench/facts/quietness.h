// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_QUIETNESS_H_
#define CTXGATE_BENCH_FACTS_QUIETNESS_H_

#include <vector>

#include "ctxgate/bench/facts/fitness.h"

namespace ctxgate {

/// The advisory part of the fitness: what makes readings noisier, but not invalid.
std::vector<Requirement> JudgeQuietness(const Roots& roots, int cpu, const Self& self);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_QUIETNESS_H_
