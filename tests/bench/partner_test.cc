// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/task/partner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "ctxgate/bench/paths/pipe.h"
#include "ctxgate/bench/task/affinity.h"
#include "ctxgate/bench/task/deadline.h"

namespace ctxgate {
namespace {

using ::testing::HasSubstr;

// "Z" or "" once the process is gone.
std::string StateOf(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string word;
  file >> word >> word >> word;
  return word;
}

bool IsGone(pid_t pid) {
  for (int i = 0; i < 500; ++i) {
    const std::string state = StateOf(pid);
    if (state.empty() || state == "Z") return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

pid_t OnlyChildOf(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children");
  pid_t child = -1;
  for (int i = 0; i < 500 && child <= 0; ++i) {
    file.clear();
    file.seekg(0);
    if (!(file >> child)) child = -1;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return child;
}

TEST(Partner, DiesWithItsParent) {
  const pid_t parent = fork();
  if (parent == 0) {
    auto path = PipePath().make();
    if (path->Open()) _exit(1);
    Partner partner(path.get(), Entity::kProcess, SchedulingClass::kOther, AllowedCpus().back());
    if (partner.Start()) _exit(1);
    pause();
    _exit(0);
  }
  const pid_t child = OnlyChildOf(parent);
  ASSERT_GT(child, 0);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(IsGone(child));
}

TEST(Partner, IsEndedAndReaped) {
  for (const PathDefinition& definition : AllPaths()) {
    for (const Entity entity : {Entity::kProcess, Entity::kThread}) {
      const Deadline deadline(std::chrono::seconds(10));
      auto path = definition.make();
      ASSERT_FALSE(path->Open());
      {
        Partner partner(path.get(), entity, SchedulingClass::kOther, AllowedCpus().back());
        const auto failure = partner.Start();
        ASSERT_FALSE(failure) << failure->message;
        EXPECT_FALSE(partner.BeginBatch(100, false));  // and it waits for a hand-over
      }
      EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    }
  }
}

TEST(Partner, ThatCannotBePinnedSaysWhy) {
  auto path = PipePath().make();
  ASSERT_FALSE(path->Open());
  Partner partner(path.get(), Entity::kProcess, SchedulingClass::kOther, 1023);
  const auto failure = partner.Start();
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->kind, Failure::Kind::kRefused);
  EXPECT_EQ(failure->call, RefusedCall::kAffinity);
  EXPECT_THAT(failure->message, HasSubstr("partner: pinning to CPU 1023 was refused"));
}

}  // namespace
}  // namespace ctxgate
