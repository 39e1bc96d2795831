// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/cpu_list.h"

#include <gtest/gtest.h>

#include "tests/bench/facts/tree.h"

namespace ctxgate {
namespace {

using Cpus = std::vector<int>;

constexpr char kUnified[] =
    "27 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
    "29 27 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n";

TEST(ParseCpuList, ReadsTheKernelsLists) {
  EXPECT_EQ(ParseCpuList("0"), Cpus{0});
  EXPECT_EQ(ParseCpuList("0-3,5\n"), (Cpus{0, 1, 2, 3, 5}));
  EXPECT_EQ(ParseCpuList("5,0-1,1"), (Cpus{0, 1, 5}));
  EXPECT_EQ(ParseCpuList("0-7:2/4"), (Cpus{0, 1, 4, 5}));
  EXPECT_EQ(ParseCpuList(""), Cpus{});
  EXPECT_EQ(ParseCpuList(" \n"), Cpus{});
  EXPECT_EQ(ParseCpuList("(null)"), Cpus{});
}

TEST(ParseCpuList, RefusesWhatIsNone) {
  for (const char* text : {"x", "0-", "-1", "3-1", "1,,2", "0-7:2", "0-7:0/4", "0-7:5/4", "0-7:x/4",
                           "0-99999999999", "1 2", "0-99999999"}) {
    EXPECT_EQ(ParseCpuList(text), std::nullopt) << text;
  }
}

TEST(FormatCpuList, WritesAsTheKernelDoes) {
  EXPECT_EQ(FormatCpuList({}), "");
  EXPECT_EQ(FormatCpuList({4}), "4");
  EXPECT_EQ(FormatCpuList({5, 0, 1, 2, 2, 7}), "0-2,5,7");
}

TEST(ChooseCpu, PrefersTheHighestIsolated) {
  EXPECT_EQ(ChooseCpu({0, 1, 2, 3}, {1, 2}), 2);
  EXPECT_EQ(ChooseCpu({0, 1}, {2, 3}), 1);
  EXPECT_EQ(ChooseCpu({3, 0}, {}), 3);
  EXPECT_EQ(ChooseCpu({0}, {0}), 0);
  EXPECT_EQ(ChooseCpu({}, {1}), -1);
}

TEST(IsolatedCpus, AreThoseOfTheBoot) {
  EXPECT_EQ(IsolatedCpus(Tree("metal").roots()), (Cpus{3, 7}));
  EXPECT_EQ(IsolatedCpus(Tree("vm").roots()), Cpus{});
  EXPECT_EQ(FindIsolatedCpus(Tree("vm").roots()), Cpus{});
}

TEST(IsolatedCpus, AreUnknownIfUnreadable) {
  EXPECT_EQ(FindIsolatedCpus(Tree("broken").roots()), std::nullopt);
  EXPECT_EQ(IsolatedCpus(Tree("broken").roots()), Cpus{});
  Tree rubbish;
  rubbish.Write("sys/devices/system/cpu/isolated", "some");
  EXPECT_EQ(FindIsolatedCpus(rubbish.roots()), std::nullopt);
  EXPECT_EQ(FindIsolatedCpus(Tree("empty").roots()), Cpus{});
}

TEST(IsolatedCpus, IncludeThePartitionsOfCgroups) {
  Tree tree;
  tree.Write("proc/self/mountinfo", kUnified).Write("sys/devices/system/cpu/isolated", "1");
  const std::string top = "sys/fs/cgroup/";
  tree.Write(top + "rt/cpuset.cpus.partition", "isolated\n")
      .Write(top + "rt/cpuset.cpus.effective", "4-5\n");
  EXPECT_EQ(IsolatedCpus(tree.roots()), (Cpus{1, 4, 5}));
  // A partition inside a partition counts; one below an ordinary group cannot be.
  tree.Write(top + "box/cpuset.cpus.partition", "root\n")
      .Write(top + "box/in/cpuset.cpus.partition", "isolated\n")
      .Write(top + "box/in/cpuset.cpus.effective", "6\n");
  EXPECT_EQ(IsolatedCpus(tree.roots()), (Cpus{1, 4, 5, 6}));
}

TEST(IsolatedCpus, LeaveOutPartitionsThatTheKernelGaveUp) {
  Tree tree;
  tree.Write("proc/self/mountinfo", kUnified);
  tree.Write("sys/fs/cgroup/rt/cpuset.cpus.partition",
             "isolated invalid (Cpu list in cpuset.cpus not exclusive)\n")
      .Write("sys/fs/cgroup/rt/cpuset.cpus.effective", "4-5\n");
  EXPECT_EQ(IsolatedCpus(tree.roots()), Cpus{});
}

TEST(IsolatedCpus, ComeFromTheRootGroupWhereItSays) {
  Tree tree;
  tree.Write("proc/self/mountinfo", kUnified)
      .Write("sys/fs/cgroup/cpuset.cpus.isolated", "2-3\n")
      .Write("sys/fs/cgroup/rt/cpuset.cpus.partition", "isolated\n")
      .Write("sys/fs/cgroup/rt/cpuset.cpus.effective", "5\n");
  EXPECT_EQ(IsolatedCpus(tree.roots()), (Cpus{2, 3}));
}

}  // namespace
}  // namespace ctxgate
