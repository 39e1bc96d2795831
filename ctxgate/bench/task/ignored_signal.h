// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_TASK_IGNORED_SIGNAL_H_
#define CTXGATE_BENCH_TASK_IGNORED_SIGNAL_H_

#include <signal.h>

namespace ctxgate {

// Ignores a signal for the life of the object, and then handles it as before. Without it a write to
// a partner that is gone would end the program by SIGPIPE in place of saying what happened.
class IgnoredSignal {
 public:
  explicit IgnoredSignal(int number) : number_(number) {
    struct sigaction action {};
    action.sa_handler = SIG_IGN;
    sigaction(number, &action, &former_);
  }
  ~IgnoredSignal() { sigaction(number_, &former_, nullptr); }
  IgnoredSignal(const IgnoredSignal&) = delete;
  IgnoredSignal& operator=(const IgnoredSignal&) = delete;

 private:
  const int number_;
  struct sigaction former_ {};
};

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_TASK_IGNORED_SIGNAL_H_
