// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/benchmark_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace ctxgate {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;
using ::testing::SizeIs;

std::vector<std::string> Names(std::optional<SchedulingClass> scheduling_class) {
  std::vector<std::string> names;
  for (const auto& group : MakeGroups(scheduling_class)) {
    for (const std::string& name : group->Names()) names.push_back(name);
  }
  return names;
}

TEST(BenchmarkSet, NamesAreFixed) {
  EXPECT_THAT(
      Names(SchedulingClass::kFifo),
      ElementsAre("switch/pipe/process/fifo/same_cpu", "twin/pipe/process/fifo/same_cpu",
                  "twin/null_syscall/process/fifo/same_cpu", "switch/pipe/thread/fifo/same_cpu",
                  "twin/pipe/thread/fifo/same_cpu", "twin/null_syscall/thread/fifo/same_cpu",
                  "switch/socketpair/process/fifo/same_cpu",
                  "twin/socketpair/process/fifo/same_cpu", "switch/socketpair/thread/fifo/same_cpu",
                  "twin/socketpair/thread/fifo/same_cpu", "switch/eventfd/process/fifo/same_cpu",
                  "twin/eventfd/process/fifo/same_cpu", "switch/eventfd/thread/fifo/same_cpu",
                  "twin/eventfd/thread/fifo/same_cpu", "switch/futex/process/fifo/same_cpu",
                  "twin/futex/process/fifo/same_cpu", "switch/futex/thread/fifo/same_cpu",
                  "twin/futex/thread/fifo/same_cpu", "switch/yield/process/fifo/same_cpu",
                  "twin/yield/process/fifo/same_cpu", "switch/yield/thread/fifo/same_cpu",
                  "twin/yield/thread/fifo/same_cpu", "canary/arithmetic", "canary/null_syscall",
                  "canary/cache_miss"));
}

TEST(BenchmarkSet, NoNameStandsTwice) {
  const std::vector<std::string> names = Names({});
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

TEST(BenchmarkSet, OneClassLeavesTheOtherOutAndKeepsTheCanaries) {
  EXPECT_THAT(Names(SchedulingClass::kOther), Not(Contains("switch/pipe/process/fifo/same_cpu")));
  EXPECT_THAT(Names(SchedulingClass::kOther), Contains("canary/arithmetic"));
  EXPECT_THAT(Names({}), SizeIs(47));
}

TEST(BenchmarkSet, IterationsAreTheTimedRoundTripsHalfAsManyWithoutAGatedTail) {
  const Plan plan{.batches = 10, .round_trips = 64};
  const auto groups = MakeGroups({});
  EXPECT_EQ(groups.front()->TimedRoundTrips(plan), 640);  // the pipe
  EXPECT_EQ(groups[4]->TimedRoundTrips(plan), 320);       // the next path
  EXPECT_EQ(groups.back()->TimedRoundTrips(plan), 10 * 10 * 1024);
}

TEST(BenchmarkSet, ABatchHoldsWholeBlocks) {
  for (const PathDefinition& path : AllPaths()) {
    EXPECT_EQ(Plan{}.round_trips % path.block, 0) << path.name;
  }
}

}  // namespace
}  // namespace ctxgate
