// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/counters.h"

namespace ctxgate {

void AddCounters(const Result& result, bool valid, benchmark::UserCounters* counters) {
  const Measurement& measurement = result.measurement;
  const Evidence& evidence = measurement.evidence;
  const auto set = [&](const char* name, double value) {
    (*counters)[std::string("ctxgate.") + name] = benchmark::Counter(value);
  };
  set("version", result.version);
  set("valid", valid ? 1 : 0);
  set("samples", static_cast<double>(measurement.histogram.count()));
  set("block", measurement.block);
  set("switches", evidence.PerRoundTrip(evidence.counts.switches()));
  if (result.expected.min == result.expected.max) {
    set("switches_expected", result.expected.min);
  } else {
    set("switches_min", result.expected.min);
    set("switches_max", result.expected.max);
  }
  // Where the path declares how its switches are counted, the other kind must be absent.
  if (result.expected.mix == Mix::kInvoluntary) set("voluntary_max", 0);
  if (result.expected.mix == Mix::kVoluntary) set("involuntary_max", 0);
  set("voluntary", evidence.PerRoundTrip(evidence.counts.voluntary));
  set("involuntary", evidence.PerRoundTrip(evidence.counts.involuntary));
  set("page_faults", evidence.PerRoundTrip(evidence.counts.page_faults));
  set("migrations", static_cast<double>(evidence.migrations));
  set("class_changes", static_cast<double>(evidence.class_changes));
  set("rt_gaps", static_cast<double>(evidence.rt_gaps));
  set("steal_ms", evidence.steal_ms);
  set("attempts", result.attempts);
  if (evidence.batches > 0) set("crowded", evidence.CrowdedShare());
  if (evidence.audit_event && evidence.audit_round_trips > 0) {
    const auto audited = static_cast<double>(evidence.audit_round_trips);
    set("audit_switches", static_cast<double>(*evidence.audit_event) / audited);
    if (evidence.other_switches) {
      set("other_switches", static_cast<double>(*evidence.other_switches) / audited);
    }
  }
  set("floor", measurement.Floor());
  set("p50", measurement.QuantileOf(0.5));
  set("p90", measurement.QuantileOf(0.9));
  set("p99", measurement.QuantileOf(0.99));
  set("p999", measurement.QuantileOf(0.999));
  set("max", measurement.Max());
}

}  // namespace ctxgate
