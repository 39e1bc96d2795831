// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/paths/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "ctxgate/bench/paths/turns.h"

namespace ctxgate {
namespace {

// Without FUTEX_PRIVATE_FLAG, so that processes can share the word; threads take the same way, or
// the two entities would differ in more than their address space.
long CallFutex(Turns::Counter& word, int operation, uint32_t value) {
  return syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
}

bool WakeOther(Turns::Counter& word) { return CallFutex(word, FUTEX_WAKE, 1) >= 0; }

// Sleeps; there is no spinning. The kernel looks at the word again before it lets the task sleep
// (EAGAIN), and may wake it for no reason.
bool SleepWhile(Turns::Counter& word, uint32_t value) {
  while (word.load(std::memory_order_acquire) == value) {
    if (CallFutex(word, FUTEX_WAIT, value) != 0 && errno != EAGAIN) return false;
  }
  return true;
}

class Futex final : public SwitchPath {
 public:
  MaybeFailure Open() override {
    if (auto failure = turns_.Open()) return failure;
    if (!self_.Open()) return Error(WithErrno("shared memory", errno));
    return {};
  }

  bool Lead(std::span<int64_t> stamps, int block) override {
    return StampBlocks(stamps, block, [&] { return turns_.Lead(WakeOther, SleepWhile); });
  }

  bool Follow(int round_trips) override {
    for (int i = 0; i < round_trips; ++i) {
      if (!turns_.Follow(WakeOther, SleepWhile)) return false;
    }
    return true;
  }

  // A wake of nobody, and a wait for a value that the word has left already.
  bool RunTwin(std::span<int64_t> stamps, int block) override {
    return StampBlocks(stamps, block, [&] {
      const uint32_t former = self_->load(std::memory_order_acquire);
      self_->store(former + 1, std::memory_order_release);
      return WakeOther(*self_) && CallFutex(*self_, FUTEX_WAIT, former) != 0 && errno == EAGAIN;
    });
  }

 private:
  Turns turns_;
  SharedMemory<Turns::Counter> self_;
};

}  // namespace

PathDefinition FutexPath() {
  return {
      .name = "futex",
      .version = 1,
      .hands_over = "FUTEX_WAKE on a word in shared memory on which the other task sleeps",
      .source =
          "futex(2), futex(7); kernel/futex/waitwake.c: what locks and condition variables "
          "between processes are made of",
      .fifo = {2, 2, Mix::kVoluntary},
      // Also with PREEMPT_RT: the wake-up comes after the bucket's lock is released.
      .other = {2, 2},
      .make = [] { return std::unique_ptr<SwitchPath>(std::make_unique<Futex>()); },
  };
}

}  // namespace ctxgate
