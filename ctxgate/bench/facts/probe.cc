// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/probe.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>

#include "ctxgate/bench/task/scheduling_class.h"

namespace ctxgate {
namespace {

constexpr int kDeadlineMs = 5000;
constexpr int kMostCpus = 8192;  // Linux's own limit

// A mask larger than the kernel's is right both for setting and for reading.
void TryPinning(int cpu, RightsProbe& result) {
  cpu_set_t* mask = CPU_ALLOC(kMostCpus);
  const std::size_t size = CPU_ALLOC_SIZE(kMostCpus);
  if (mask == nullptr) return;
  CPU_ZERO_S(size, mask);
  CPU_SET_S(static_cast<std::size_t>(cpu), size, mask);
  if (sched_setaffinity(0, size, mask) != 0) {
    result.affinity_error = errno;
  } else {
    CPU_ZERO_S(size, mask);
    result.pinned = sched_getaffinity(0, size, mask) == 0 && CPU_COUNT_S(size, mask) == 1 &&
                    CPU_ISSET_S(static_cast<std::size_t>(cpu), size, mask) && sched_getcpu() == cpu;
  }
  CPU_FREE(mask);
}

void TryLocking(RightsProbe& result) {
  if (mlockall(MCL_CURRENT) != 0) result.lock_error = errno;
  munlockall();
}

void TryFifo(RightsProbe& result) {
  sched_param wanted{};
  wanted.sched_priority = kFifoPriority;
  if (sched_setscheduler(0, SCHED_FIFO, &wanted) != 0) {
    result.fifo_error = errno;
    return;
  }
  sched_param found{};
  result.fifo = sched_getscheduler(0) == SCHED_FIFO && sched_getparam(0, &found) == 0 &&
                found.sched_priority == kFifoPriority;
}

[[noreturn]] void RunChild(int cpu, bool with_fifo, int report, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  RightsProbe result;
  TryLocking(result);
  if (cpu >= 0 && cpu < kMostCpus) TryPinning(cpu, result);
  if (cpu >= kMostCpus) result.affinity_error = EINVAL;
  if (with_fifo) TryFifo(result);
  result.finished = true;
  const ssize_t written = write(report, &result, sizeof result);
  _exit(written == static_cast<ssize_t>(sizeof result) ? 0 : 1);
}

std::int64_t MonotonicMs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

RightsProbe ReadReport(int fd) {
  const std::int64_t end = MonotonicMs() + kDeadlineMs;
  for (std::int64_t left = kDeadlineMs; left > 0; left = end - MonotonicMs()) {
    pollfd waiting{fd, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) break;
    RightsProbe result;
    // A pipe hands over so short a message in one piece.
    if (read(fd, &result, sizeof result) == static_cast<ssize_t>(sizeof result)) return result;
    break;
  }
  return {};
}

// A real-time task without any budget left cannot even die: wait for it, but not for ever.
void Bury(pid_t child) {
  kill(child, SIGKILL);
  const timespec pause{0, 5000000};
  for (int tries = 0; tries < 400; ++tries) {
    const pid_t ended = waitpid(child, nullptr, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return;
    nanosleep(&pause, nullptr);
  }
}

}  // namespace

RightsProbe ProbeRights(int cpu, bool with_fifo) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    RunChild(cpu, with_fifo, ends[1], parent);
  }
  close(ends[1]);
  RightsProbe result;
  if (child > 0) {
    result = ReadReport(ends[0]);
    Bury(child);
  }
  close(ends[0]);
  return result;
}

}  // namespace ctxgate
