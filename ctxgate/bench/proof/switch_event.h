// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_PROOF_SWITCH_EVENT_H_
#define CTXGATE_BENCH_PROOF_SWITCH_EVENT_H_

#include <cstdint>
#include <optional>

#include "ctxgate/bench/task/file_descriptor.h"

namespace ctxgate {

// The kernel's software event PERF_COUNT_SW_CONTEXT_SWITCHES (perf_event_open(2)), counting from
// the moment it is opened until it is closed.
//
// Opened only in an audit, whose times are thrown away: measured on a 2-vCPU VM with Linux 6.18, a
// FIFO pipe round trip takes 5.7 us without such events and 8.0 us with one on each task, and 3 %
// more for up to a second after they are closed, because the kernel switches its perf hooks off by
// delayed work (perf_sched_delayed in kernel/events/core.c).
class SwitchEvent {
 public:
  // Of the calling task; false where only user space may be counted, since such an event silently
  // counts 0 (perf_event_paranoid 2 without CAP_PERFMON).
  bool OpenForThisTask();
  // Of everything that runs on one CPU; false without the right (perf_event_paranoid > 0).
  bool OpenForCpu(int cpu);
  void Close() { event_.Close(); }

  // Switches so far; empty where the event is closed or cannot be read.
  std::optional<int64_t> Read() const;

 private:
  FileDescriptor event_;
};

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_PROOF_SWITCH_EVENT_H_
