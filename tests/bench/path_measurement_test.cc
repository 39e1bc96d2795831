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

// By its name: the bytes of the pointers within would rename the tests from run to run.
void PrintTo(const PathDefinition& path, std::ostream* out) { *out << path.name; }

namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr Plan kShort = {.batches = 4, .round_trips = 64, .warm_up = 5, .audit_batches = 2};

Place OnLastCpu(Entity entity, SchedulingClass scheduling_class) {
  return {entity, scheduling_class, AllowedCpus().back(), 10};
}

bool IsRefused(const MaybeFailure& failure) {
  return failure && failure->kind == Failure::Kind::kRefused;
}

// A path between two entities in a class.
using Case = std::tuple<PathDefinition, Entity, SchedulingClass>;

class EveryPath : public ::testing::TestWithParam<Case> {
 protected:
  const PathDefinition definition_ = std::get<0>(GetParam());
  const Entity entity_ = std::get<1>(GetParam());
  const SchedulingClass class_ = std::get<2>(GetParam());
  const Place place_ = OnLastCpu(entity_, class_);
  const int block_ = definition_.block;
  // Five round trips of warm-up in whole blocks, and one block more than is timed.
  const int led_ = (block_ == 1 ? 5 : block_) + 64 + block_;
};

TEST_P(EveryPath, SwitchesTwiceARoundTripAndItsTwinsNever) {
  PathResult result;
  const auto failure = MeasurePath(definition_, place_, kShort, 0.8, &result);
  if (IsRefused(failure)) GTEST_SKIP() << "not measured: " << failure->message;
  ASSERT_FALSE(failure) << failure->message;
  const Evidence& evidence = result.path.evidence;
  EXPECT_EQ(evidence.round_trips, 4 * led_);
  EXPECT_EQ(result.path.block, block_);
  EXPECT_EQ(result.path.histogram.count(), 4 * 64 / block_);
  EXPECT_EQ(result.path.batch_means.size(), 4U);
  EXPECT_EQ(WhyUnproven(evidence, definition_.Expected(class_), class_), std::nullopt);
  if (class_ == SchedulingClass::kFifo) {
    const bool yields = definition_.fifo.mix == Mix::kInvoluntary;
    EXPECT_EQ(evidence.counts.voluntary, yields ? 0 : 2 * evidence.round_trips);
    EXPECT_EQ(evidence.counts.involuntary, yields ? 2 * evidence.round_trips : 0);
  }
  std::vector<const Measurement*> twins = {&result.twin};
  if (definition_.principal) twins.push_back(&result.null_syscall);
  for (const Measurement* twin : twins) {
    EXPECT_EQ(WhyUnproven(twin->evidence, {0, 0}, class_), std::nullopt);
    EXPECT_EQ(twin->block, 32);
    EXPECT_EQ(twin->histogram.count(), 4 * 64 / 32);
    EXPECT_GT(result.path.Mean(), twin->Mean());
  }
  EXPECT_GT(result.path.Floor(), 0);
  EXPECT_GT(result.path.cpu_seconds, 0);
}

TEST_P(EveryPath, IsCountedTheSameByThePerfEvent) {
  Evidence evidence;
  const auto failure = AuditPath(definition_, place_, kShort, true, &evidence);
  if (IsRefused(failure)) GTEST_SKIP() << "not measured: " << failure->message;
  ASSERT_FALSE(failure) << failure->message;
  if (!evidence.audit_event) GTEST_SKIP() << "perf events are not to be had";
  EXPECT_EQ(evidence.audit_round_trips, 2 * led_);
  EXPECT_NEAR(static_cast<double>(*evidence.audit_event),
              static_cast<double>(evidence.audit_counts),
              class_ == SchedulingClass::kFifo ? 0 : 14);
}

INSTANTIATE_TEST_SUITE_P(MeasurePath, EveryPath,
                         ::testing::Combine(::testing::ValuesIn(AllPaths()),
                                            ::testing::Values(Entity::kProcess, Entity::kThread),
                                            ::testing::Values(SchedulingClass::kFifo,
                                                              SchedulingClass::kOther)),
                         [](const auto& chosen) {
                           return std::string(std::get<0>(chosen.param).name) + "_" +
                                  std::string(NameOf(std::get<1>(chosen.param))) + "_" +
                                  std::string(NameOf(std::get<2>(chosen.param)));
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

// What MeasurePath says of such a path, and no later than after `limit_ms`.
std::string FailureOf(const PathDefinition& path, Place place, int64_t limit_ms = 60'000) {
  PathResult result;
  const int64_t start = NowNs();
  const auto failure = MeasurePath(path, place, kShort, 0.8, &result);
  EXPECT_LT(NowNs() - start, limit_ms * 1'000'000) << path.name;
  if (IsRefused(failure)) return "refused";
  return failure ? failure->message : "";
}

Place Within(int deadline_seconds, Entity entity, SchedulingClass scheduling_class) {
  Place place = OnLastCpu(entity, scheduling_class);
  place.deadline_seconds = deadline_seconds;
  return place;
}

// The deadline is half a minute: what ends these is the partner's own end.
TEST(MeasurePath, APartnerThatIsKilledIsNamedLongBeforeTheDeadline) {
  for (const PathDefinition& path : Fakes<IsKilled>()) {
    for (const auto scheduling_class : {SchedulingClass::kFifo, SchedulingClass::kOther}) {
      EXPECT_THAT(FailureOf(path, Within(30, Entity::kProcess, scheduling_class), 10'000),
                  AnyOf(HasSubstr("was killed by signal 9"), "refused"))
          << path.name;
    }
  }
}

TEST(MeasurePath, APartnerThatExitsIsNamedLongBeforeTheDeadline) {
  for (const PathDefinition& path : Fakes<Exits>()) {
    EXPECT_THAT(FailureOf(path, Within(30, Entity::kProcess, SchedulingClass::kOther), 10'000),
                HasSubstr("exited with 7"))
        << path.name;
  }
}

TEST(MeasurePath, ADeadlineEndsAStuckHandOver) {
  for (const PathDefinition& path : Fakes<Sleeps>()) {
    for (const Entity entity : {Entity::kProcess, Entity::kThread}) {
      // A yield never sleeps, so it gives up by itself, unless others take the CPU that long.
      const std::string own = path.name == "yield" ? "a hand-over failed: Timer expired" : "-";
      EXPECT_THAT(FailureOf(path, Within(1, entity, SchedulingClass::kOther)),
                  AnyOf(HasSubstr("the deadline of 1 s passed in a hand-over"), HasSubstr(own)))
          << path.name;
    }
  }
}

// A spinning FIFO task that the kernel had to end (RLIMIT_RTTIME) would leave no word.
TEST(MeasurePath, UnderFifoAYieldInVainGivesUpToo) {
  for (const Entity entity : {Entity::kProcess, Entity::kThread}) {
    EXPECT_THAT(
        FailureOf(Fake<YieldPath, Sleeps>(), Within(30, entity, SchedulingClass::kFifo), 10'000),
        AnyOf(HasSubstr("a hand-over failed: Timer expired"), "refused"));
  }
}

TEST(MeasurePath, APartnerThatGivesUpEndsTheBatch) {
  for (const PathDefinition& path : Fakes<GivesUp>()) {
    EXPECT_THAT(FailureOf(path, Within(30, Entity::kProcess, SchedulingClass::kOther), 10'000),
                HasSubstr("a hand-over failed"))
        << path.name;
  }
  EXPECT_THAT(
      FailureOf(Fake<PipePath, GivesUp>(), Within(1, Entity::kThread, SchedulingClass::kOther)),
      HasSubstr("deadline of 1 s"));
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
