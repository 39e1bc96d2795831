// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_OBSERVERS_H_
#define CTXGATE_BENCH_FACTS_OBSERVERS_H_

#include <optional>
#include <string>
#include <vector>

#include "ctxgate/bench/facts/roots.h"

namespace ctxgate {

/// The running profilers and tracers, as "perf (1234)": a system-wide `perf stat` adds work to
/// every switch of every task. Found by name, since which events are open is for root to know.
/// Nothing if the processes cannot be listed.
std::optional<std::vector<std::string>> FindObservers(const Roots& roots);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_OBSERVERS_H_
