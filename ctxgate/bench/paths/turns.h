// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_PATHS_TURNS_H_
#define CTXGATE_BENCH_PATHS_TURNS_H_

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "ctxgate/bench/failure.h"
#include "ctxgate/bench/task/shared_memory.h"

namespace ctxgate {

// A counter in memory that both tasks share: even while it is the leader's turn, odd while it is
// the partner's. Each adds one to hand over, and only in its own turn, so that the two stay in step
// whatever the scheduler does; the leader checks that its partner has added one, neither none nor
// two. On one CPU a turn can pass to the other task only by a switch.
//
// `Wake` tells the other task of its turn; `Await` waits until the counter has another value than
// the one it is given. Both return false, with errno set, where that failed.
class Turns {
 public:
  using Counter = std::atomic<uint32_t>;

  MaybeFailure Open() {
    return counter_.Open() ? MaybeFailure{} : Error(WithErrno("shared memory", errno));
  }

  // One round trip of the leader.
  template <typename Wake, typename Await>
  bool Lead(Wake&& wake, Await&& await) {
    const uint32_t handed_over = counter_->load(std::memory_order_relaxed) + 1;
    counter_->store(handed_over, std::memory_order_release);
    if (!wake(*counter_) || !await(*counter_, handed_over)) return false;
    if (counter_->load(std::memory_order_acquire) == handed_over + 1) return true;
    errno = EPROTO;
    return false;
  }

  // One round trip of the partner.
  template <typename Wake, typename Await>
  bool Follow(Wake&& wake, Await&& await) {
    uint32_t turn = counter_->load(std::memory_order_acquire);
    if (turn % 2 == 0) {
      if (!await(*counter_, turn)) return false;
      ++turn;
    }
    counter_->store(turn + 1, std::memory_order_release);
    return wake(*counter_);
  }

 private:
  // On a page, and so on a cache line, of its own.
  SharedMemory<Counter> counter_;
};

static_assert(Turns::Counter::is_always_lock_free && sizeof(Turns::Counter) == sizeof(uint32_t));

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_PATHS_TURNS_H_
