// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/path_measurement.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <vector>

#include "ctxgate/bench/proof/switch_event.h"
#include "ctxgate/bench/proof/thread_cpu_time.h"
#include "ctxgate/bench/task/affinity.h"
#include "ctxgate/bench/task/deadline.h"
#include "ctxgate/bench/task/duty_cycle.h"
#include "ctxgate/bench/task/ignored_signal.h"
#include "ctxgate/bench/task/limits.h"

namespace ctxgate {
namespace {

// A null system call takes 0.1-1 us and reading the clock 25-40 ns, so 32 of them are timed as one:
// about 1 % and less.
constexpr int kTwinBlock = 32;

// The calling thread where a path is led; everything is restored at the end.
class LeadersPlace {
 public:
  MaybeFailure Take(const Place& place) {
    // Under OTHER, for which no right is needed, nothing is locked: a limit of 8 MiB, the usual one
    // of users, would let the lock succeed and the partner's stack fail. Page faults are counted.
    if (place.scheduling_class == SchedulingClass::kFifo) {
      if (auto failure = memory_.Lock()) return failure;
    }
    if (auto failure = affinity_.Pin(place.cpu)) return failure;
    return scheduling_class_.Enter(place.scheduling_class);
  }

 private:
  ScopedMemoryLock memory_;
  ScopedRealTimeLimit limit_;
  PinnedToCpu affinity_;
  ScopedSchedulingClass scheduling_class_;
};

bool RunNullSyscalls(std::span<int64_t> stamps) {
  return StampBlocks(stamps, kTwinBlock, [] {
    syscall(SYS_getppid);
    return true;
  });
}

int WarmUpBlocks(const Plan& plan, int block) { return (plan.warm_up + block - 1) / block; }

// Stamps of a batch of the path. One block more than is timed: the last one is lengthened by the
// partner, which takes its counts before it sleeps.
std::size_t StampsOfBatch(const Plan& plan, int block) {
  return static_cast<std::size_t>(WarmUpBlocks(plan, block) + plan.round_trips / block + 2);
}

void AddBatch(const Batch& batch, std::span<const int64_t> stamps, int warm_up, Measurement* path) {
  Evidence& evidence = path->evidence;
  evidence.round_trips += batch.round_trips;
  evidence.counts += batch.counts;
  evidence.migrations += batch.migrations;
  evidence.class_changes += batch.class_changes;
  ++evidence.batches;
  if (batch.both_cpu_seconds < 0.98 * batch.wall_seconds) ++evidence.crowded_batches;
  path->AddBatch(stamps.first(stamps.size() - 1), warm_up, batch.cpu_seconds);
}

// Calls `use` with a leader that has its place and its partner.
template <typename Use>
MaybeFailure WithLeader(const PathDefinition& definition, const Place& place, Use&& use) {
  // First, since the partner's destructor interrupts a sleeping thread by the deadline's signal.
  const Deadline deadline(std::chrono::seconds(place.deadline_seconds));
  const IgnoredSignal no_sigpipe(SIGPIPE);
  LeadersPlace here;
  if (auto failure = here.Take(place)) return failure;
  const std::unique_ptr<SwitchPath> path = definition.make();
  if (auto failure = path->Open()) return failure;
  Leader leader(path.get(), place);
  if (auto failure = leader.Start()) return failure;
  return use(*path, leader);
}

template <typename Twin>
MaybeFailure MeasureTwin(const Place& place, std::span<int64_t> stamps, Twin&& run,
                         Measurement* twin) {
  const double cpu_before = ThreadCpuSeconds();
  const TaskCounts before = ReadTaskCounts();
  const bool completed = run(stamps);
  const int error_number = errno;
  Evidence& evidence = twin->evidence;
  evidence.counts += ReadTaskCounts() - before;
  if (!completed) return Error(WithErrno("the twin failed", error_number));
  evidence.round_trips += static_cast<int64_t>(stamps.size() - 1) * kTwinBlock;
  if (!RunsOnlyOn(place.cpu)) ++evidence.migrations;
  if (!InClass(place.scheduling_class)) ++evidence.class_changes;
  twin->block = kTwinBlock;
  twin->AddBatch(stamps, 1, ThreadCpuSeconds() - cpu_before);
  return {};
}

}  // namespace

MaybeFailure MeasurePath(const PathDefinition& definition, const Place& place, const Plan& plan,
                         double busy_share, PathResult* result) {
  const DutyCycle duty_cycle(busy_share);
  const int block = definition.block;
  result->path.block = block;
  std::vector<int64_t> stamps(StampsOfBatch(plan, block));
  std::vector<int64_t> twin_stamps(static_cast<std::size_t>(2 + plan.round_trips / kTwinBlock));
  return WithLeader(definition, place, [&](SwitchPath& path, Leader& leader) -> MaybeFailure {
    const auto run_twin = [&](std::span<int64_t> to) { return path.RunTwin(to, kTwinBlock); };
    // The batch before the first is discarded: page faults, cold caches and branch predictors.
    for (int index = -1; index < plan.batches; ++index) {
      Batch batch;
      if (auto failure = leader.Lead(stamps, block, false, &batch)) return failure;
      duty_cycle.Rest(stamps.back() - stamps.front());
      if (index < 0) continue;
      AddBatch(batch, stamps, WarmUpBlocks(plan, block), &result->path);
      if (auto failure = MeasureTwin(place, twin_stamps, run_twin, &result->twin)) return failure;
      duty_cycle.Rest(twin_stamps.back() - twin_stamps.front());
      if (!definition.principal) continue;
      if (auto failure = MeasureTwin(place, twin_stamps, RunNullSyscalls, &result->null_syscall)) {
        return failure;
      }
      duty_cycle.Rest(twin_stamps.back() - twin_stamps.front());
    }
    return {};
  });
}

MaybeFailure AuditPath(const PathDefinition& definition, const Place& place, const Plan& plan,
                       bool alone, Evidence* evidence) {
  std::vector<int64_t> stamps(StampsOfBatch(plan, definition.block));
  return WithLeader(definition, place, [&](SwitchPath&, Leader& leader) -> MaybeFailure {
    for (int index = 0; index < plan.audit_batches; ++index) {
      SwitchEvent cpu_event;
      if (alone) cpu_event.OpenForCpu(place.cpu);
      const auto before = cpu_event.Read();
      Batch batch;
      if (auto failure = leader.Lead(stamps, definition.block, true, &batch)) return failure;
      const auto after = cpu_event.Read();
      if (!batch.event_switches) continue;
      evidence->audit_event = evidence->audit_event.value_or(0) + *batch.event_switches;
      evidence->audit_counts += batch.counts.switches();
      evidence->audit_round_trips += batch.round_trips;
      if (!before || !after) continue;
      // Begin and end of the batch are two hand-overs more, of two switches each.
      const int64_t others = *after - *before - batch.counts.switches() - 4;
      evidence->other_switches =
          evidence->other_switches.value_or(0) + std::max<int64_t>(0, others);
    }
    return {};
  });
}

}  // namespace ctxgate
