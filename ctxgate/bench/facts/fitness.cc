// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/fitness.h"

#include "ctxgate/bench/facts/quietness.h"
#include "ctxgate/bench/facts/rights.h"
#include "ctxgate/bench/facts/text.h"

namespace ctxgate {

std::vector<Requirement> JudgeFitness(const Roots& roots, int cpu, const Self& self,
                                      const RightsProber& prober) {
  std::vector<Requirement> all = JudgeRights(roots, cpu, self, prober);
  for (Requirement& advice : JudgeQuietness(roots, cpu, self)) all.push_back(std::move(advice));
  for (Requirement& requirement : all) {
    requirement.found = OneLine(requirement.found);
    requirement.remedy = OneLine(requirement.remedy);
  }
  return all;
}

}  // namespace ctxgate
