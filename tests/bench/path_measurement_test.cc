// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/path_measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "ctxgate/bench/clock.h"
#include "ctxgate/bench/facts/self.h"
#include "ctxgate/bench/task/affinity.h"
#include "tests/bench/fake_path.h"

namespace ctxgate {
namespace {

using ::testing::HasSubstr;

constexpr Plan kShort = {.batches = 4, .round_trips = 64, .warm_up = 5, .audit_batches = 2};

Place OnLastCpu(Entity entity, SchedulingClass scheduling_class) {
  return {entity, scheduling_class, AllowedCpus().back(), 10};
}

bool IsRefused(const MaybeFailure& failure) {
  return failure && failure->kind == Failure::Kind::kRefused;
}

class EveryPlace : public ::testing::TestWithParam<std::tuple<Entity, SchedulingClass>> {};

TEST_P(EveryPlace, ThePipeSwitchesTwiceARoundTripAndItsTwinsNever) {
  const auto [entity, scheduling_class] = GetParam();
  PathResult result;
  const auto failure =
      MeasurePath(PipePath(), OnLastCpu(entity, scheduling_class), kShort, 0.8, &result);
  if (IsRefused(failure)) GTEST_SKIP() << "not measured: " << failure->message;
  ASSERT_FALSE(failure) << failure->message;
  const Evidence& evidence = result.path.evidence;
  EXPECT_EQ(evidence.round_trips, 4 * (64 + 5 + 1));
  EXPECT_EQ(result.path.histogram.count(), 4 * 64);
  EXPECT_EQ(result.path.batch_means.size(), 4U);
  EXPECT_EQ(WhyUnproven(evidence, PipePath().Expected(scheduling_class), scheduling_class),
            std::nullopt);
  if (scheduling_class == SchedulingClass::kFifo) {
    EXPECT_EQ(evidence.counts.voluntary, 2 * evidence.round_trips);
    EXPECT_EQ(evidence.counts.involuntary, 0);
  }
  for (const Measurement* twin : {&result.twin, &result.null_syscall}) {
    EXPECT_EQ(WhyUnproven(twin->evidence, {0, 0}, scheduling_class), std::nullopt);
    EXPECT_EQ(twin->block, 32);
    EXPECT_EQ(twin->histogram.count(), 4 * 64 / 32);
    EXPECT_GT(result.path.Mean(), twin->Mean());
  }
  EXPECT_GT(result.path.Floor(), 0);
  EXPECT_GT(result.path.cpu_seconds, 0);
}

TEST_P(EveryPlace, ThePerfEventCountsTheSame) {
  const auto [entity, scheduling_class] = GetParam();
  Evidence evidence;
  const auto failure =
      AuditPath(PipePath(), OnLastCpu(entity, scheduling_class), kShort, true, &evidence);
  if (IsRefused(failure)) GTEST_SKIP() << "not measured: " << failure->message;
  ASSERT_FALSE(failure) << failure->message;
  if (!evidence.audit_event) GTEST_SKIP() << "perf events are not to be had";
  EXPECT_EQ(evidence.audit_round_trips, 2 * (64 + 5 + 1));
  EXPECT_NEAR(static_cast<double>(*evidence.audit_event),
              static_cast<double>(evidence.audit_counts),
              scheduling_class == SchedulingClass::kFifo ? 0 : 14);
}

INSTANTIATE_TEST_SUITE_P(MeasurePath, EveryPlace,
                         ::testing::Combine(::testing::Values(Entity::kProcess, Entity::kThread),
                                            ::testing::Values(SchedulingClass::kFifo,
                                                              SchedulingClass::kOther)),
                         [](const auto& place) {
                           return std::string(NameOf(std::get<0>(place.param))) + "_" +
                                  std::string(NameOf(std::get<1>(place.param)));
                         });

TEST(MeasurePath, RestoresAffinityClassLimitsAndMemoryLocks) {
  const std::vector<int> allowed = AllowedCpus();
  rlimit before{};
  getrlimit(RLIMIT_RTTIME, &before);
  PathResult result;
  const auto failure = MeasurePath(PipePath(), OnLastCpu(Entity::kProcess, SchedulingClass::kFifo),
                                   kShort, 0.8, &result);
  if (IsRefused(failure)) GTEST_SKIP() << "not measured: " << failure->message;
  rlimit after{};
  getrlimit(RLIMIT_RTTIME, &after);
  EXPECT_EQ(AllowedCpus(), allowed);
  EXPECT_TRUE(InClass(SchedulingClass::kOther));
  EXPECT_EQ(after.rlim_cur, before.rlim_cur);
  EXPECT_EQ(StatusField(Roots{}, "VmLck"), "0 kB");
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // no partner is left
}

template <typename Misbehave>
std::string FailureWith(Entity entity, int deadline_seconds = 10) {
  Place place = OnLastCpu(entity, SchedulingClass::kOther);
  place.deadline_seconds = deadline_seconds;
  PathResult result;
  const auto failure = MeasurePath(Fake<Misbehave>(), place, kShort, 0.8, &result);
  return failure ? failure->message : "";
}

TEST(MeasurePath, APartnerThatIsKilledIsNamed) {
  EXPECT_THAT(FailureWith<IsKilled>(Entity::kProcess), HasSubstr("was killed by signal 9"));
}

TEST(MeasurePath, APartnerThatExitsIsNamed) {
  EXPECT_THAT(FailureWith<Exits>(Entity::kProcess), HasSubstr("exited with 7"));
}

TEST(MeasurePath, ADeadlineEndsAStuckHandOver) {
  for (const Entity entity : {Entity::kProcess, Entity::kThread}) {
    const int64_t start = NowNs();
    EXPECT_THAT(FailureWith<Sleeps>(entity, 1),
                HasSubstr("the deadline of 1 s passed in a hand-over"));
    EXPECT_GE(NowNs() - start, 900'000'000);
  }
}

TEST(MeasurePath, APartnerThatGivesUpEndsTheBatch) {
  EXPECT_THAT(FailureWith<GivesUp>(Entity::kProcess), HasSubstr("a hand-over failed"));
  EXPECT_THAT(FailureWith<GivesUp>(Entity::kThread, 1), HasSubstr("deadline of 1 s"));
}

TEST(MeasurePath, ACpuThatDoesNotExistIsRefused) {
  Place place = OnLastCpu(Entity::kProcess, SchedulingClass::kOther);
  place.cpu = 1023;
  PathResult result;
  const auto failure = MeasurePath(PipePath(), place, kShort, 0.8, &result);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->kind, Failure::Kind::kRefused);
  EXPECT_EQ(failure->call, RefusedCall::kAffinity);
  EXPECT_EQ(failure->message, "pinning to CPU 1023 was refused: Invalid argument");
}

}  // namespace
}  // namespace ctxgate
