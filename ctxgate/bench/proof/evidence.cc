// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/proof/evidence.h"

#include <cmath>
#include <cstdio>

namespace ctxgate {
namespace {

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3f", value);
  return text;
}

std::string Describe(const ExpectedSwitches& expected) {
  if (expected.min == expected.max) return Number(expected.min);
  return Number(expected.min) + " to " + Number(expected.max);
}

}  // namespace

double Evidence::PerRoundTrip(int64_t count) const {
  return round_trips == 0 ? 0 : static_cast<double>(count) / static_cast<double>(round_trips);
}

double Evidence::CrowdedShare() const {
  return batches == 0 ? 0 : static_cast<double>(crowded_batches) / static_cast<double>(batches);
}

bool IsCrowded(const Evidence& evidence) { return evidence.CrowdedShare() > 1.0 / 3; }

double SwitchSlack(SchedulingClass scheduling_class) {
  return scheduling_class == SchedulingClass::kFifo ? 0.01 : 0.1;
}

std::optional<std::string> WhyUnproven(const Evidence& evidence, const ExpectedSwitches& expected,
                                       SchedulingClass scheduling_class) {
  if (evidence.round_trips == 0) return "nothing was measured";
  if (evidence.migrations > 0) {
    return "a task was not pinned to its CPU at " + std::to_string(evidence.migrations) +
           " batch ends";
  }
  if (evidence.class_changes > 0) {
    return "a task was not in its scheduling class at " + std::to_string(evidence.class_changes) +
           " batch ends";
  }
  const double slack = SwitchSlack(scheduling_class);
  const double switches = evidence.PerRoundTrip(evidence.counts.switches());
  if (switches < expected.min - slack || switches > expected.max + slack) {
    return "the kernel counted " + Number(switches) + " switches a round trip where " +
           Describe(expected) + " were expected";
  }
  if (evidence.rt_gaps >= 2) {
    return std::to_string(evidence.rt_gaps) +
           " gaps of 45-55 ms: real-time throttling took the CPU (sched_rt_runtime_us)";
  }
  if (evidence.audit_event && evidence.audit_round_trips > 0) {
    const double difference = static_cast<double>(*evidence.audit_event - evidence.audit_counts) /
                              static_cast<double>(evidence.audit_round_trips);
    if (std::abs(difference) > slack) {
      return "the perf event and getrusage differ by " + Number(difference) +
             " switches a round trip";
    }
  }
  if (evidence.other_switches && evidence.audit_round_trips > 0) {
    const double others = static_cast<double>(*evidence.other_switches) /
                          static_cast<double>(evidence.audit_round_trips);
    const double allowed = scheduling_class == SchedulingClass::kFifo ? 0 : 0.002;
    if (others > allowed) {
      return "others ran on the isolated CPU: " + Number(others) + " switches a round trip";
    }
  }
  return {};
}

}  // namespace ctxgate
