// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_LEADER_H_
#define CTXGATE_BENCH_LEADER_H_

#include <optional>
#include <span>
#include <vector>

#include "ctxgate/bench/failure.h"
#include "ctxgate/bench/paths/switch_path.h"
#include "ctxgate/bench/task/partner.h"

namespace ctxgate {

// Where and between whom a path is measured.
struct Place {
  Entity entity = Entity::kProcess;
  SchedulingClass scheduling_class = SchedulingClass::kFifo;
  int cpu = 0;
  int deadline_seconds = 30;
};

// What one batch showed, both tasks together.
struct Batch {
  int round_trips = 0;
  TaskCounts counts;
  std::optional<int64_t> event_switches;  // audit only, and only where both sides could count
  int migrations = 0;                     // tasks that were not where they belong at its end
  int class_changes = 0;
  double cpu_seconds = 0;  // of the leader
  double wall_seconds = 0;
  double both_cpu_seconds = 0;  // of leader and partner
};

// The measuring side of a path: puts the calling thread where it belongs, starts the partner, and
// leads batches of round trips.
class Leader {
 public:
  Leader(SwitchPath* path, const Place& place);

  MaybeFailure Start() { return partner_.Start(); }
  // stamps.size() - 1 blocks of `block` round trips. With `audit` a perf event counts beside
  // getrusage, which makes the times worthless (see proof/switch_event.h).
  MaybeFailure Lead(std::span<int64_t> stamps, int block, bool audit, Batch* batch);

 private:
  MaybeFailure HandOverFailed(int error_number);

  SwitchPath* const path_;
  const Place& place_;
  Partner partner_;
};

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_LEADER_H_
