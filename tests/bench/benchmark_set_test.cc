// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/benchmark_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
                  "canary/arithmetic", "canary/null_syscall", "canary/cache_miss"));
}

TEST(BenchmarkSet, OneClassLeavesTheOtherOutAndKeepsTheCanaries) {
  EXPECT_THAT(Names(SchedulingClass::kOther), Not(Contains("switch/pipe/process/fifo/same_cpu")));
  EXPECT_THAT(Names(SchedulingClass::kOther), Contains("canary/arithmetic"));
  EXPECT_THAT(Names({}), SizeIs(15));
}

TEST(BenchmarkSet, IterationsAreTheTimedRoundTrips) {
  const Plan plan{.batches = 10, .round_trips = 64};
  const auto groups = MakeGroups({});
  EXPECT_EQ(groups.front()->TimedRoundTrips(plan), 640);
  EXPECT_EQ(groups.back()->TimedRoundTrips(plan), 10 * 10 * 1024);
}

}  // namespace
}  // namespace ctxgate
