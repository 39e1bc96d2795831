// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_TASK_DUTY_CYCLE_H_
#define CTXGATE_BENCH_TASK_DUTY_CYCLE_H_

#include <cstdint>

namespace ctxgate {

// Keeps a real-time task below the RT limit by a nap after each batch, and lets the CPU's other
// tasks run meanwhile: a FIFO ping-pong without it is throttled for 50 ms every second.
class DutyCycle {
 public:
  // `busy_share` of the time may be spent running, over 0 and at most 1.
  explicit DutyCycle(double busy_share) : busy_share_(busy_share) {}

  // The share for a budget of sched_rt_runtime_us out of sched_rt_period_us (runtime < 0: no
  // limit): 80 % at most, and 85 % of a smaller budget.
  static double ShareFor(int64_t runtime_us, int64_t period_us);

  // Sleeps as long as `busy_ns` of running call for.
  void Rest(int64_t busy_ns) const;

 private:
  double busy_share_;
};

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_TASK_DUTY_CYCLE_H_
