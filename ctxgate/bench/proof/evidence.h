// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_PROOF_EVIDENCE_H_
#define CTXGATE_BENCH_PROOF_EVIDENCE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "ctxgate/bench/proof/task_counts.h"
#include "ctxgate/bench/task/scheduling_class.h"

namespace ctxgate {

// How the switches of a path are counted: as voluntary because the task sleeps, as involuntary
// because it stays runnable, or as either, where the kernel decides at each wake-up.
enum class Mix { kAny, kVoluntary, kInvoluntary };

// Switches per round trip that a path declares, by class; min == max for an exact number.
struct ExpectedSwitches {
  double min = 0;
  double max = 0;
  Mix mix = Mix::kAny;
};

// What stands beside a reading as its proof, both tasks together.
struct Evidence {
  int64_t round_trips = 0;  // all that were counted, the untimed ones included
  TaskCounts counts;
  int64_t migrations = 0;     // batch ends at which a task was not on its CPU or not pinned to it
  int64_t class_changes = 0;  // batch ends at which a task was not in its class
  int64_t rt_gaps = 0;        // round trips of 45-55 ms: RT throttling takes 50 ms each second
  double steal_ms = 0;        // time the hypervisor took from the CPU (/proc/stat)
  // Batches, and those of them in which the two tasks together had less than 98 % of the CPU:
  // others ran there. One of the two is always runnable, so nothing is idle within a batch.
  int64_t batches = 0;
  int64_t crowded_batches = 0;
  // Audit batches, where the perf event could be opened: its count against getrusage's.
  std::optional<int64_t> audit_event;
  int64_t audit_counts = 0;
  int64_t audit_round_trips = 0;
  // Switches on the CPU beyond the two tasks' own, in the audit batches; only where the CPU is
  // isolated, since elsewhere others are entitled to run.
  std::optional<int64_t> other_switches;

  double PerRoundTrip(int64_t count) const;
  double CrowdedShare() const;
};

// How far the counts may be off per round trip: 0.01 under FIFO, where only a stopper thread can
// interfere; 0.1 under OTHER, where the tick lets others in.
double SwitchSlack(SchedulingClass scheduling_class);

// Whether others ran on the CPU in more than a third of the batches. Under OTHER a third runnable
// task changes what is measured even in batches where it does not run: on Linux 6.18 the share of
// involuntary switches fell from 84 % to 15-60 % and the median rose from 4.9 to 6.5 us beside
// stress-ng, and neither moved where up to 30 % of the batches were crowded.
bool IsCrowded(const Evidence& evidence);

// Why the counts do not prove the reading; empty where they do.
std::optional<std::string> WhyUnproven(const Evidence& evidence, const ExpectedSwitches& expected,
                                       SchedulingClass scheduling_class);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_PROOF_EVIDENCE_H_
