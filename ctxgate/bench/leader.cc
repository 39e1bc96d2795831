// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/leader.h"

#include <cerrno>
#include <string>

#include "ctxgate/bench/proof/switch_event.h"
#include "ctxgate/bench/proof/thread_cpu_time.h"
#include "ctxgate/bench/task/affinity.h"
#include "ctxgate/bench/task/deadline.h"

namespace ctxgate {

Leader::Leader(SwitchPath* path, const Place& place)
    : path_(path), place_(place), partner_(path, place.entity, place.scheduling_class, place.cpu) {}

MaybeFailure Leader::Lead(std::span<int64_t> stamps, int block, bool audit, Batch* batch) {
  *batch = {};
  batch->round_trips = (static_cast<int>(stamps.size()) - 1) * block;
  SwitchEvent event;
  if (audit) event.OpenForThisTask();
  if (auto failure = partner_.BeginBatch(batch->round_trips, audit)) return failure;
  const double cpu_before = ThreadCpuSeconds();
  const TaskCounts before = ReadTaskCounts();
  const auto event_before = event.Read();
  const bool completed = path_->Lead(stamps, block);
  const int error_number = errno;
  const auto event_after = event.Read();
  batch->counts = ReadTaskCounts() - before;
  batch->cpu_seconds = ThreadCpuSeconds() - cpu_before;
  if (!completed) return HandOverFailed(error_number);
  PartnerBatch partner;
  if (auto failure = partner_.EndBatch(&partner)) return failure;
  batch->counts += partner.counts;
  batch->wall_seconds = static_cast<double>(stamps.back() - stamps.front()) * 1e-9;
  batch->both_cpu_seconds = batch->cpu_seconds + partner.cpu_seconds;
  if (event_before && event_after && partner.event_switches) {
    batch->event_switches = *event_after - *event_before + *partner.event_switches;
  }
  batch->migrations = (RunsOnlyOn(place_.cpu) ? 0 : 1) + (partner.pinned ? 0 : 1);
  batch->class_changes = (InClass(place_.scheduling_class) ? 0 : 1) + (partner.in_class ? 0 : 1);
  return {};
}

MaybeFailure Leader::HandOverFailed(int error_number) {
  if (Deadline::Passed()) {
    return Error("the deadline of " + std::to_string(place_.deadline_seconds) +
                 " s passed in a hand-over: the partner did not answer, or others took the CPU");
  }
  const std::string fate = partner_.Fate();
  // The signal that told of the partner's end says no more than its fate does.
  if (error_number == EINTR && !fate.empty()) {
    return Error("a hand-over failed: the partner " + fate);
  }
  return Error(WithErrno("a hand-over failed", error_number) +
               (fate.empty() ? "" : "; the partner " + fate));
}

}  // namespace ctxgate
