// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/task/deadline.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace ctxgate {
namespace {

std::atomic<bool> g_passed{false};

void OnTimer(int) { g_passed.store(true, std::memory_order_relaxed); }

timespec ToTimespec(std::chrono::milliseconds duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  return {seconds.count(), static_cast<long>((duration - seconds).count() * 1'000'000)};
}

}  // namespace

Deadline::Deadline(std::chrono::milliseconds from_now) {
  g_passed = false;
  struct sigaction action {};
  action.sa_handler = OnTimer;  // without SA_RESTART: read(2) must return EINTR
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, &former_);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGALRM;
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  if (timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0) return;
  itimerspec when{};
  when.it_value = ToTimespec(from_now);
  when.it_interval = ToTimespec(std::chrono::milliseconds(100));
  armed_ = timer_settime(timer_, 0, &when, nullptr) == 0;
}

Deadline::~Deadline() {
  if (armed_) timer_delete(timer_);
  sigaction(SIGALRM, &former_, nullptr);
}

bool Deadline::Passed() { return g_passed.load(std::memory_order_relaxed); }

}  // namespace ctxgate
