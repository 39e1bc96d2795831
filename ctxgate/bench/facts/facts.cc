// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/facts.h"

#include "ctxgate/bench/facts/build.h"
#include "ctxgate/bench/facts/conditions.h"
#include "ctxgate/bench/facts/cpu.h"
#include "ctxgate/bench/facts/kernel.h"
#include "ctxgate/bench/facts/platform.h"
#include "ctxgate/bench/facts/power.h"
#include "ctxgate/bench/facts/scheduling.h"
#include "ctxgate/bench/facts/text.h"

namespace ctxgate {
namespace {

void MakePrintable(FactMap& facts) {
  for (auto& [name, value] : facts) value = OneLine(value);
}

}  // namespace

Facts CollectFacts(const Roots& roots, int cpu, const Self& self) {
  Facts facts;
  AddBuildFacts(facts);
  AddCpuFacts(roots, cpu, facts);
  AddPowerFacts(roots, cpu, facts);
  AddPlatformFacts(roots, self, facts);
  AddSchedulingFacts(roots, cpu, self, facts);
  AddKernelFacts(roots, cpu, self, facts);
  AddConditions(roots, cpu, facts);
  MakePrintable(facts.identity);
  MakePrintable(facts.subject);
  MakePrintable(facts.record);
  return facts;
}

}  // namespace ctxgate
