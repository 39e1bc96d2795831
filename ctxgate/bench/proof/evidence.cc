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

std::optional<std::string> WhyMiscounted(const Evidence& evidence, const ExpectedSwitches& expected,
                                         double slack) {
  const double switches = evidence.PerRoundTrip(evidence.counts.switches());
  if (switches < expected.min - slack || switches > expected.max + slack) {
    return "the kernel counted " + Number(switches) + " switches a round trip where " +
           Describe(expected) + " were expected";
  }
  const double voluntary = evidence.PerRoundTrip(evidence.counts.voluntary);
  if (expected.mix == Mix::kInvoluntary && voluntary > slack) {
    return "the kernel counted " + Number(voluntary) +
           " voluntary switches a round trip where the tasks never sleep";
  }
  const double involuntary = evidence.PerRoundTrip(evidence.counts.involuntary);
  if (expected.mix == Mix::kVoluntary && involuntary > slack) {
    return "the kernel counted " + Number(involuntary) +
           " involuntary switches a round trip where the tasks only sleep";
  }
  return {};
}

std::optional<std::string> WhyAuditDiffers(const Evidence& evidence,
                                           SchedulingClass scheduling_class) {
  if (evidence.audit_round_trips == 0) return {};
  const auto round_trips = static_cast<double>(evidence.audit_round_trips);
  if (evidence.audit_event) {
    const double difference =
        static_cast<double>(*evidence.audit_event - evidence.audit_counts) / round_trips;
    if (std::abs(difference) > SwitchSlack(scheduling_class)) {
      return "the perf event and getrusage differ by " + Number(difference) +
             " switches a round trip";
    }
  }
  if (evidence.other_switches) {
    const double others = static_cast<double>(*evidence.other_switches) / round_trips;
    const double allowed = scheduling_class == SchedulingClass::kFifo ? 0 : 0.002;
    if (others > allowed) {
      return "others ran on the isolated CPU: " + Number(others) + " switches a round trip";
    }
  }
  return {};
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
  if (auto why = WhyMiscounted(evidence, expected, SwitchSlack(scheduling_class))) return why;
  // Only real-time tasks are throttled; under OTHER others may take as long.
  if (scheduling_class == SchedulingClass::kFifo && evidence.rt_gaps >= 2) {
    return std::to_string(evidence.rt_gaps) +
           " gaps of 45-55 ms: real-time throttling took the CPU (sched_rt_runtime_us)";
  }
  return WhyAuditDiffers(evidence, scheduling_class);
}

}  // namespace ctxgate
