// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_TASK_DEADLINE_H_
#define CTXGATE_BENCH_TASK_DEADLINE_H_

#include <signal.h>
#include <time.h>

#include <chrono>

#include "ctxgate/bench/failure.h"

namespace ctxgate {

// Ends blocking system calls of the calling thread when time is up, or as soon as another process
// has ended, since a futex or an eventfd has no end of file that would tell of it. A timer signals
// that thread alone (SIGEV_THREAD_ID, timer_create(2)), the handler only sets a flag, and the
// interrupted call returns EINTR. The signal repeats every 20 ms, so one that lands just before the
// call blocks does no harm.
class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds from_now);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  // The read end of a pipe whose write end one other process alone holds, and never writes to: the
  // kernel closes it whatever ends that process, and signals (fcntl(2), O_ASYNC). Called by the
  // thread with the deadline, and without effect where there is none.
  static void Watch(int lifeline);
  // Set once time is up.
  static bool Passed();
  // Set once time is up or the lifeline is cut; loops that do not block look here.
  static bool GivesUp();

 private:
  struct sigaction former_ {};
  sigset_t former_mask_{};
};

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_TASK_DEADLINE_H_
