// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_FACTS_H_
#define CTXGATE_BENCH_FACTS_FACTS_H_

#include "ctxgate/bench/facts/fact_map.h"
#include "ctxgate/bench/facts/roots.h"
#include "ctxgate/bench/facts/self.h"

namespace ctxgate {

/// What the build, the machine and the kernel are. `cpu` is the CPU to be measured on; with -1
/// (not known yet) everything that depends on it is "unknown". Values are one line of valid UTF-8.
/// Identity holds nothing that changes by itself or at a reboot, and is read from sources that
/// every user may read, so that sessions of root and of others stay comparable. Never throws.
Facts CollectFacts(const Roots& roots, int cpu, const Self& self = ReadSelf());

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_FACTS_H_
