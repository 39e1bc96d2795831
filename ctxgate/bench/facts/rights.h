// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_RIGHTS_H_
#define CTXGATE_BENCH_FACTS_RIGHTS_H_

#include <vector>

#include "ctxgate/bench/facts/fitness.h"

namespace ctxgate {

/// The part of the fitness that rights and limits decide: everything required, and memory locking.
std::vector<Requirement> JudgeRights(const Roots& roots, int cpu, const Self& self,
                                     const RightsProber& prober);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_RIGHTS_H_
