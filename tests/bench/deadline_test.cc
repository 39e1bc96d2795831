// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/task/deadline.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "ctxgate/bench/clock.h"
#include "ctxgate/bench/task/file_descriptor.h"

namespace ctxgate {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A child that ends by itself after 50 ms; `lifeline` is the pipe that it holds for life.
pid_t ShortChild(PipeEnds* lifeline) {
  EXPECT_TRUE(lifeline->Open());
  const pid_t child = fork();
  if (child == 0) {
    usleep(50'000);
    _exit(0);
  }
  lifeline->write_end.Close();
  return child;
}

// Sleeps in a read that nothing but a signal ends; how long, in ms.
int64_t SleepUntilInterrupted() {
  PipeEnds pipe;
  EXPECT_TRUE(pipe.Open());
  char byte;
  const int64_t start = NowNs();
  EXPECT_EQ(read(pipe.read_end.get(), &byte, 1), -1);
  EXPECT_EQ(errno, EINTR);
  return (NowNs() - start) / 1'000'000;
}

TEST(Deadline, EndsASleep) {
  const Deadline deadline(milliseconds(100));
  EXPECT_FALSE(Deadline::Passed());
  EXPECT_GE(SleepUntilInterrupted(), 90);
  EXPECT_TRUE(Deadline::Passed());
  EXPECT_TRUE(Deadline::GivesUp());
}

TEST(Deadline, EndsASleepFromWhichAProcessThatEndedCannotWake) {
  const Deadline deadline(seconds(50));
  PipeEnds lifeline;
  const pid_t child = ShortChild(&lifeline);
  Deadline::Watch(lifeline.read_end.get());
  EXPECT_LT(SleepUntilInterrupted(), 40'000);
  EXPECT_TRUE(Deadline::GivesUp());
  EXPECT_FALSE(Deadline::Passed());
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
}

TEST(Deadline, SeesAProcessThatEndedBeforeItWasWatched) {
  const Deadline deadline(seconds(50));
  PipeEnds lifeline;
  const pid_t child = ShortChild(&lifeline);
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(Deadline::GivesUp());
  Deadline::Watch(lifeline.read_end.get());
  EXPECT_TRUE(Deadline::GivesUp());
  EXPECT_LT(SleepUntilInterrupted(), 40'000);
  EXPECT_FALSE(Deadline::Passed());
}

// A shell that has started others may have become this program.
TEST(Deadline, IsNotMovedByAnotherProcess) {
  const Deadline deadline(milliseconds(500));
  PipeEnds lifeline;
  const pid_t child = ShortChild(&lifeline);
  EXPECT_GE(SleepUntilInterrupted(), 300);
  EXPECT_TRUE(Deadline::Passed());
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
}

TEST(Deadline, HoldsWhereItsSignalWasBlockedAndRestoresThat) {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGALRM);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  {
    const Deadline deadline(milliseconds(50));
    EXPECT_GE(SleepUntilInterrupted(), 40);
  }
  sigset_t after;
  pthread_sigmask(SIG_SETMASK, &before, &after);
  EXPECT_EQ(sigismember(&after, SIGALRM), 1);
}

}  // namespace
}  // namespace ctxgate
