// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_FITNESS_H_
#define CTXGATE_BENCH_FACTS_FITNESS_H_

#include <string>
#include <vector>

#include "ctxgate/bench/facts/fact_map.h"
#include "ctxgate/bench/facts/probe.h"
#include "ctxgate/bench/facts/roots.h"
#include "ctxgate/bench/facts/self.h"

namespace ctxgate {

/// One thing that a wall reading needs, or is better with, and how it stands here.
struct Requirement {
  enum class State { kGood, kBad, kUnknown };

  std::string requirement;  ///< Its fixed name.
  State state = State::kUnknown;
  std::string found;      ///< What was found, in a few words.
  std::string remedy;     ///< A command or an advice; empty when good.
  bool required = false;  ///< Without it a reading is impossible or invalid.
};

/// Judges whether this machine can give a wall reading on `cpu` now. Required, in this order:
/// "fifo", "pinning", "rt_budget", "tracer", "cpu_quota". Advisory: "memory_lock", "isolation",
/// "governor", "boost", "smt_sibling", "idle_states", "nohz_full",
/// "clocksource", "virtualisation", "steal", "load", "runnable", "observers".
std::vector<Requirement> JudgeFitness(const Roots& roots, int cpu, const Self& self = ReadSelf(),
                                      const RightsProber& prober = ProbeRights);

/// What `--facts` prints: one strict JSON object with "identity", "subject", "record" and
/// "fitness".
std::string FactsJson(const Facts& facts, const std::vector<Requirement>& fitness);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_FITNESS_H_
