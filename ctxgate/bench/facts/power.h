// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_POWER_H_
#define CTXGATE_BENCH_FACTS_POWER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ctxgate/bench/facts/fact_map.h"
#include "ctxgate/bench/facts/roots.h"

namespace ctxgate {

/// Adds how frequency and idling are set: driver, governor, energy preference, limits and boost of
/// the measured CPU, idle driver, governor and states. The frequency itself is no identity.
void AddPowerFacts(const Roots& roots, int cpu, Facts& facts);

/// The frequency governor of a CPU; "none" without frequency scaling.
std::string Governor(const Roots& roots, int cpu);

/// Whether frequencies above the nominal one are allowed, and the file that says so.
struct Boost {
  std::string state;      ///< "on", "off", "none" or "unknown".
  std::string file;       ///< Empty for "none".
  std::string off_value;  ///< What to write to `file` to end it.
};
Boost FindBoost(const Roots& roots, int cpu);

/// An idle state of a CPU.
struct IdleState {
  std::string name;
  bool enabled = true;
  std::int64_t latency_us = 0;  ///< Microseconds to leave it, as the driver says.
};
std::vector<IdleState> IdleStates(const Roots& roots, int cpu);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_POWER_H_
