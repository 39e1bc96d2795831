// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/cgroup.h"

#include <gtest/gtest.h>

#include "tests/bench/facts/tree.h"

namespace ctxgate {
namespace {

TEST(OwnCgroup, IsFoundInEachHierarchy) {
  Tree tree("vm");
  tree.Write("proc/self/cgroup", "3:cpuset:/a\n1:cpu,cpuacct:/b/c\n0::/d\n");
  const Cgroup cpu = OwnCgroup(tree.roots(), "cpu");
  EXPECT_EQ(cpu.presence, Presence::kRead);
  EXPECT_EQ(cpu.version, 1);
  EXPECT_EQ(cpu.directory, tree.top() + "/sys/fs/cgroup/cpu/b/c");
  EXPECT_EQ(LevelsUp(cpu), (std::vector<std::string>{tree.top() + "/sys/fs/cgroup/cpu/b/c",
                                                     tree.top() + "/sys/fs/cgroup/cpu/b",
                                                     tree.top() + "/sys/fs/cgroup/cpu"}));
  const Cgroup memory = OwnCgroup(tree.roots(), "memory");  // not in v1 here: v2 has it
  EXPECT_EQ(memory.version, 2);
  EXPECT_EQ(memory.directory, tree.top() + "/sys/fs/cgroup/unified/d");
}

TEST(OwnCgroup, IsAtTheMountInAContainer) {
  Tree tree;
  const std::string place = tree.top() + "/sys/fs/cgroup";
  const auto mount = [&](const std::string& root) {
    tree.Write("proc/self/mountinfo",
               "29 27 0:26 " + root + " /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  };
  mount("/docker/abc");
  tree.Write("proc/self/cgroup", "0::/docker/abc\n");
  EXPECT_EQ(OwnCgroup(tree.roots(), "cpu").directory, place);
  tree.Write("proc/self/cgroup", "0::/docker/abc/in\n");
  EXPECT_EQ(OwnCgroup(tree.roots(), "cpu").directory, place + "/in");
  tree.Write("proc/self/cgroup", "0::/\n");
  EXPECT_EQ(OwnCgroup(tree.roots(), "cpu").directory, place);
  EXPECT_EQ(LevelsUp(OwnCgroup(tree.roots(), "cpu")), std::vector<std::string>{place});
  tree.Write("proc/self/cgroup", "0::/docker/abcdef\n");
  EXPECT_EQ(OwnCgroup(tree.roots(), "cpu").presence, Presence::kUnreadable);
  tree.Write("proc/self/cgroup", "0::/../outside\n");
  EXPECT_EQ(OwnCgroup(tree.roots(), "cpu").presence, Presence::kUnreadable);
}

TEST(OwnCgroup, IsAbsentWithoutCgroups) {
  EXPECT_EQ(OwnCgroup(Tree("empty").roots(), "cpu").presence, Presence::kAbsent);
  EXPECT_EQ(OwnCgroup(Tree("broken").roots(), "cpu").presence, Presence::kUnreadable);
  Tree unmounted;
  unmounted.Write("proc/self/cgroup", "1:cpu:/\n").Write("proc/self/mountinfo", "");
  EXPECT_EQ(OwnCgroup(unmounted.roots(), "cpu").presence, Presence::kUnreadable);
  EXPECT_TRUE(LevelsUp(OwnCgroup(unmounted.roots(), "cpu")).empty());
  Tree nothing;
  nothing.Write("proc/self/cgroup", "7:pids:/\n");
  EXPECT_EQ(OwnCgroup(nothing.roots(), "cpu").presence, Presence::kAbsent);
}

TEST(OwnCpuQuota, IsTheTightestOfAllLevels) {
  Tree tree("metal");
  const std::string user = "sys/fs/cgroup/user.slice/";
  EXPECT_EQ(OwnCpuQuota(tree.roots()).presence, Presence::kAbsent);
  tree.Write(user + "cpu.max", "150000 100000\n");
  tree.Write(user + "user-1000.slice/cpu.max", "20000 100000\n");
  tree.Write(user + "user-1000.slice/cpu.stat", "usage_usec 1\nnr_periods 25\nnr_throttled 24\n");
  const CpuQuota quota = OwnCpuQuota(tree.roots());
  EXPECT_EQ(quota.presence, Presence::kRead);
  EXPECT_DOUBLE_EQ(quota.cpus, 0.2);
  EXPECT_EQ(quota.throttled, 24);
  EXPECT_EQ(quota.periods, 25);
  EXPECT_EQ(quota.file, tree.top() + "/" + user + "user-1000.slice/cpu.max");
  tree.Write(user + "user-1000.slice/cpu.max", "rubbish\n");
  EXPECT_EQ(OwnCpuQuota(tree.roots()).presence, Presence::kUnreadable);
}

TEST(OwnCpuQuota, IsReadFromVersion1) {
  Tree tree("vm");
  EXPECT_EQ(OwnCpuQuota(tree.roots()).presence, Presence::kAbsent);
  tree.Write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "250000\n");
  EXPECT_DOUBLE_EQ(OwnCpuQuota(tree.roots()).cpus, 2.5);
  tree.Write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "0\n");
  EXPECT_EQ(OwnCpuQuota(tree.roots()).presence, Presence::kUnreadable);
  tree.Remove("sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  EXPECT_EQ(OwnCpuQuota(tree.roots()).presence, Presence::kAbsent);
}

TEST(OwnRtBudget, ExistsInVersion1Only) {
  EXPECT_EQ(OwnRtBudget(Tree("vm").roots()).text, "950000");
  EXPECT_EQ(OwnRtBudget(Tree("metal").roots()).presence, Presence::kAbsent);
  EXPECT_EQ(OwnRtBudget(Tree("broken").roots()).presence, Presence::kUnreadable);
}

}  // namespace
}  // namespace ctxgate
