// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/probe.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>

#include <cerrno>

#include "ctxgate/bench/facts/self.h"

namespace ctxgate {
namespace {

TEST(ProbeRights, ReportsAndLeavesThisProcessAsItWas) {
  const std::vector<int> before = ReadSelf().allowed_cpus;
  ASSERT_FALSE(before.empty());
  const RightsProbe probe = ProbeRights(before.back(), true);
  EXPECT_TRUE(probe.finished);
  EXPECT_EQ(probe.affinity_error, 0);
  EXPECT_TRUE(probe.pinned);
  EXPECT_NE(probe.fifo, probe.fifo_error != 0) << "either granted or refused with a reason";
  EXPECT_EQ(ReadSelf().allowed_cpus, before);
  EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child was left";
  EXPECT_EQ(errno, ECHILD);
}

TEST(ProbeRights, LeavesTheClassAloneIfAsked) {
  const RightsProbe probe = ProbeRights(-1, false);
  EXPECT_TRUE(probe.finished);
  EXPECT_FALSE(probe.pinned);
  EXPECT_FALSE(probe.fifo);
  EXPECT_EQ(probe.fifo_error, 0);
}

TEST(ProbeRights, IsRefusedACpuThatCannotBe) {
  for (const int cpu : {8191, 8192, 1 << 20}) {
    const RightsProbe probe = ProbeRights(cpu, false);
    EXPECT_TRUE(probe.finished);
    EXPECT_EQ(probe.affinity_error, EINVAL) << cpu;
    EXPECT_FALSE(probe.pinned);
  }
}

}  // namespace
}  // namespace ctxgate
