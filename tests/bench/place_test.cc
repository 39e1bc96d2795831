// SPDX-License-Identifier: Apache-2.0
// Affinity and class: refused, pretended, restored. What changes the process runs in a child.
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "ctxgate/bench/task/affinity.h"
#include "ctxgate/bench/task/limits.h"
#include "ctxgate/bench/task/scheduling_class.h"

namespace ctxgate {
namespace {

// The exit status of a child that runs `body`.
int InChild(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// From here on the system call returns 0 and does nothing.
bool PretendSuccessOf(unsigned system_call) {
  const sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, system_call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter = {4, const_cast<sock_filter*>(program)};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

enum Answer { kDone = 10, kRefused, kPretended, kNoSeccomp };

int AnswerOf(const MaybeFailure& failure) {
  if (!failure) return kDone;
  return failure->kind == Failure::Kind::kRefused ? kRefused : kPretended;
}

TEST(Pinning, PretendedSuccessIsNoticed) {
  const int answer = InChild([] {
    const int cpu = AllowedCpus().back();
    if (AllowedCpus().size() == 1) return static_cast<int>(kPretended);  // cannot differ
    if (!PretendSuccessOf(SYS_sched_setaffinity)) return static_cast<int>(kNoSeccomp);
    PinnedToCpu pinned;
    return AnswerOf(pinned.Pin(cpu));
  });
  if (answer == kNoSeccomp) GTEST_SKIP() << "seccomp is not to be had";
  EXPECT_EQ(answer, kPretended);
}

TEST(SchedulingClassTest, PretendedSuccessIsNoticed) {
  const int answer = InChild([] {
    if (!PretendSuccessOf(SYS_sched_setscheduler)) return static_cast<int>(kNoSeccomp);
    ScopedSchedulingClass scheduling_class;
    return AnswerOf(scheduling_class.Enter(SchedulingClass::kFifo));
  });
  if (answer == kNoSeccomp) GTEST_SKIP() << "seccomp is not to be had";
  EXPECT_EQ(answer, kPretended);
}

TEST(SchedulingClassTest, WithoutTheRightItIsRefused) {
  const int answer = InChild([] {
    const rlimit none{};
    setrlimit(RLIMIT_RTPRIO, &none);
    if (getuid() == 0 && setresuid(65534, 65534, 65534) != 0) return 1;
    ScopedSchedulingClass scheduling_class;
    return AnswerOf(scheduling_class.Enter(SchedulingClass::kFifo));
  });
  EXPECT_EQ(answer, kRefused);
}

TEST(Pinning, IsUndoneAtTheEnd) {
  EXPECT_EQ(InChild([] {
              const std::vector<int> allowed = AllowedCpus();
              {
                PinnedToCpu pinned;
                if (pinned.Pin(allowed.front())) return 1;
                if (!RunsOnlyOn(allowed.front())) return 2;
              }
              return AllowedCpus() == allowed ? 0 : 3;
            }),
            0);
}

TEST(SchedulingClassTest, NamesAreThoseOfTheBenchmarks) {
  EXPECT_EQ(NameOf(SchedulingClass::kFifo), "fifo");
  EXPECT_EQ(NameOf(SchedulingClass::kOther), "other");
}

TEST(RealTimeLimit, OnlyTheSoftLimitMovesAndComesBack) {
  rlimit before{};
  getrlimit(RLIMIT_RTTIME, &before);
  {
    const ScopedRealTimeLimit limit;
    rlimit during{};
    getrlimit(RLIMIT_RTTIME, &during);
    EXPECT_LE(during.rlim_cur, 1'000'000U);
    EXPECT_EQ(during.rlim_max, before.rlim_max);
  }
  rlimit after{};
  getrlimit(RLIMIT_RTTIME, &after);
  EXPECT_EQ(after.rlim_cur, before.rlim_cur);
}

}  // namespace
}  // namespace ctxgate
