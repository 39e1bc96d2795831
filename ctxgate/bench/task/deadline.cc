// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/task/deadline.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace ctxgate {
namespace {

constexpr std::chrono::milliseconds kRepeat{20};

std::atomic<bool> g_passed{false};
std::atomic<bool> g_cut{false};
// Of the one deadline at a time; the handler reaches it here.
timer_t g_timer{};
bool g_armed = false;

pid_t ThisThread() { return static_cast<pid_t>(syscall(SYS_gettid)); }

timespec ToTimespec(std::chrono::milliseconds duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  return {seconds.count(), static_cast<long>((duration - seconds).count() * 1'000'000)};
}

bool SetTimer(timespec first) {
  itimerspec when{};
  when.it_value = first;
  when.it_interval = ToTimespec(kRepeat);
  return timer_settime(g_timer, 0, &when, nullptr) == 0;
}

// From now on the timer interrupts.
void Cut() {
  g_cut.store(true, std::memory_order_relaxed);
  if (g_armed) SetTimer({0, 1});
}

void OnSignal(int, siginfo_t* info, void*) {
  const int error_number = errno;
  if (info->si_code == POLL_IN) {
    Cut();
  } else if (!g_cut.load(std::memory_order_relaxed)) {
    g_passed.store(true, std::memory_order_relaxed);
  }
  errno = error_number;
}

}  // namespace

Deadline::Deadline(std::chrono::milliseconds from_now) {
  g_passed = false;
  g_cut = false;
  struct sigaction action {};
  action.sa_sigaction = OnSignal;
  action.sa_flags = SA_SIGINFO;  // without SA_RESTART: read(2) must return EINTR
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, &former_);
  sigset_t needed;  // whoever started this program may have blocked it
  sigemptyset(&needed);
  sigaddset(&needed, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &needed, &former_mask_);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGALRM;
  event._sigev_un._tid = ThisThread();
  if (timer_create(CLOCK_MONOTONIC, &event, &g_timer) != 0) return;
  g_armed = SetTimer(ToTimespec(from_now));
}

Deadline::~Deadline() {
  if (g_armed) timer_delete(g_timer);
  g_armed = false;
  sigaction(SIGALRM, &former_, nullptr);
  pthread_sigmask(SIG_SETMASK, &former_mask_, nullptr);
}

void Deadline::Watch(int lifeline) {
  if (!g_armed) return;
  const f_owner_ex owner{F_OWNER_TID, ThisThread()};
  fcntl(lifeline, F_SETOWN_EX, &owner);
  fcntl(lifeline, F_SETSIG, SIGALRM);
  fcntl(lifeline, F_SETFL, O_ASYNC);
  pollfd ended{lifeline, POLLIN, 0};  // it may have been cut before these lines
  if (poll(&ended, 1, 0) == 1) Cut();
}

bool Deadline::Passed() { return g_passed.load(std::memory_order_relaxed); }

bool Deadline::GivesUp() { return Passed() || g_cut.load(std::memory_order_relaxed); }

}  // namespace ctxgate
