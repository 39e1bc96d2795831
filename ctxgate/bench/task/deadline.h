// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_TASK_DEADLINE_H_
#define CTXGATE_BENCH_TASK_DEADLINE_H_

#include <signal.h>
#include <time.h>

#include <chrono>

#include "ctxgate/bench/failure.h"

namespace ctxgate {

// Ends blocking system calls of the calling thread when time is up: a timer signals that thread
// alone (SIGEV_THREAD_ID, timer_create(2)), the handler does nothing, and the interrupted call
// returns EINTR. The signal repeats every 100 ms, so one that lands just before the call blocks
// does no harm.
class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds from_now);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  // Set once time is up; loops that do not block look here.
  static bool Passed();

 private:
  timer_t timer_{};
  bool armed_ = false;
  struct sigaction former_ {};
};

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_TASK_DEADLINE_H_
