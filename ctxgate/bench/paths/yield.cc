// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/paths/yield.h"

#include <sched.h>

#include <cerrno>

#include "ctxgate/bench/paths/turns.h"
#include "ctxgate/bench/proof/thread_cpu_time.h"
#include "ctxgate/bench/task/deadline.h"

namespace ctxgate {
namespace {

// How long a task yields in vain, in seconds of its own CPU time. Nothing else ends it, since it
// never sleeps; under FIFO the kernel would after a second (RLIMIT_RTTIME), without a word.
constexpr double kPatience = 0.5;
constexpr int kLook = 1024;  // fruitless calls between two looks at that time, some 0.5 ms

// Under FIFO, where a yield puts the caller behind its equals, one call is enough. Under OTHER it
// is a hint: the kernel may let the caller go on, which then yields again.
bool YieldWhile(Turns::Counter& turn, uint32_t value) {
  double began = 0;
  for (int calls = 1; turn.load(std::memory_order_acquire) == value; ++calls) {
    sched_yield();
    if (Deadline::GivesUp()) {
      errno = EINTR;
      return false;
    }
    if (calls % kLook != 0) continue;
    const double now = ThreadCpuSeconds();
    if (began == 0) began = now;
    if (now - began > kPatience) {
      errno = ETIME;
      return false;
    }
  }
  return true;
}

// sched_yield and nothing else: no wake-up, no lock, only the choice of the next task and the
// switch. Both tasks stay runnable, so the kernel counts each switch as involuntary.
class Yield final : public SwitchPath {
 public:
  MaybeFailure Open() override {
    if (auto failure = turns_.Open()) return failure;
    if (!self_.Open()) return Error(WithErrno("shared memory", errno));
    return {};
  }

  bool Lead(std::span<int64_t> stamps, int block) override {
    return StampBlocks(stamps, block, [&] { return turns_.Lead(WakeNobody, YieldWhile); });
  }

  // The partner yields before its first turn and not after its last, when it goes to sleep: as many
  // switches as round trips.
  bool Follow(int round_trips) override {
    for (int i = 0; i < round_trips; ++i) {
      if (!turns_.Follow(WakeNobody, YieldWhile)) return false;
    }
    return true;
  }

  // Not sched_yield: beside any other runnable task that call switches, and alone it still runs the
  // scheduler, whose part a twin is to leave out. This one only asks which class the task is in.
  bool RunTwin(std::span<int64_t> stamps, int block) override {
    return StampBlocks(stamps, block, [&] {
      self_->store(self_->load(std::memory_order_acquire) + 1, std::memory_order_release);
      return sched_getscheduler(0) >= 0;
    });
  }

 private:
  static bool WakeNobody(Turns::Counter&) { return true; }

  Turns turns_;
  SharedMemory<Turns::Counter> self_;
};

}  // namespace

PathDefinition YieldPath() {
  return {
      .name = "yield",
      .version = 1,
      .hands_over = "sched_yield while the other task is runnable and of the same priority",
      .source = "sched_yield(2); kernel/sched/syscalls.c: do_sched_yield, then __schedule",
      // 1-2 us a round trip, and 25-40 ns a reading of the clock.
      .block = 8,
      .fifo = {2, 2, Mix::kInvoluntary},
      // At least two, since the turn passes only by a switch. More where a third task is runnable:
      // a yield to that one may come back before the partner had its turn.
      .other = {2, 4, Mix::kInvoluntary},
      .make = [] { return std::unique_ptr<SwitchPath>(std::make_unique<Yield>()); },
  };
}

}  // namespace ctxgate
