// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_TASK_PARTNER_H_
#define CTXGATE_BENCH_TASK_PARTNER_H_

#include <pthread.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ctxgate/bench/failure.h"
#include "ctxgate/bench/paths/switch_path.h"
#include "ctxgate/bench/proof/task_counts.h"
#include "ctxgate/bench/task/file_descriptor.h"
#include "ctxgate/bench/task/scheduling_class.h"
#include "ctxgate/bench/task/shared_memory.h"

namespace ctxgate {

enum class Entity { kProcess, kThread };

// "process" or "thread", as in the benchmarks' names.
std::string_view NameOf(Entity entity);

// What the partner itself saw over one batch. It reports its own counts: another task's would need
// ptrace rights, which file capabilities take away.
struct PartnerBatch {
  TaskCounts counts;
  double cpu_seconds = 0;
  std::optional<int64_t> event_switches;  // audit batches only
  bool pinned = false;
  bool in_class = false;
  bool completed = false;  // false: a hand-over failed
  int error_number = 0;
};

// The task on the other side of a path: a forked process or a thread of this one. It dies with its
// parent, locks its own memory, pins itself and enters the class; between batches it sleeps in a
// read of the command pipe. The destructor ends and reaps it.
class Partner {
 public:
  Partner(SwitchPath* path, Entity entity, SchedulingClass scheduling_class, int cpu);
  ~Partner();
  Partner(const Partner&) = delete;
  Partner& operator=(const Partner&) = delete;

  // Starts it and waits until it is pinned and in its class.
  MaybeFailure Start();
  // Returns once the partner has taken its counts and waits for the first of `round_trips`.
  MaybeFailure BeginBatch(int round_trips, bool audit);
  // Returns once the partner has taken its counts again.
  MaybeFailure EndBatch(PartnerBatch* batch);
  // What became of it, for a message after a failed hand-over: "was killed by signal 9" or "".
  std::string Fate();

 private:
  // Where the partner reports.
  struct Board {
    // Why it could not be set up; an empty message where it could.
    Failure::Kind kind = Failure::Kind::kError;
    std::optional<RefusedCall> call;
    int error_number = 0;
    char message[256] = {};
    PartnerBatch batch;
  };
  struct Command;

  void Serve();
  bool ServeBatch(const Command& command);
  MaybeFailure Enter();
  MaybeFailure StartProcess();
  MaybeFailure StartThread();
  MaybeFailure AwaitReply(std::string_view what);

  SwitchPath* const path_;
  const Entity entity_;
  const SchedulingClass scheduling_class_;
  const int cpu_;
  PipeEnds commands_;
  PipeEnds replies_;
  PipeEnds lifeline_;  // the partner process holds its write end for life
  SharedMemory<Board> board_;
  pid_t pid_ = -1;
  pthread_t thread_{};
  bool thread_runs_ = false;
  std::string fate_;
};

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_TASK_PARTNER_H_
