// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/proof/evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ctxgate {
namespace {

using ::testing::HasSubstr;

constexpr ExpectedSwitches kTwo = {2, 2};
constexpr ExpectedSwitches kTwoToFour = {2, 4};

Evidence Proven() {
  Evidence evidence;
  evidence.round_trips = 10'000;
  evidence.counts.voluntary = 20'000;
  return evidence;
}

std::string Why(const Evidence& evidence, const ExpectedSwitches& expected,
                SchedulingClass scheduling_class = SchedulingClass::kFifo) {
  return WhyUnproven(evidence, expected, scheduling_class).value_or("");
}

TEST(Evidence, ExactCountsProve) { EXPECT_EQ(Why(Proven(), kTwo), ""); }

TEST(Evidence, NothingMeasuredProvesNothing) {
  EXPECT_EQ(Why(Evidence{}, kTwo), "nothing was measured");
}

TEST(Evidence, UnderFifoOneSwitchInAHundredRoundTripsIsTooMuch) {
  Evidence evidence = Proven();
  evidence.counts.involuntary = 100;  // 2.01
  EXPECT_EQ(Why(evidence, kTwo), "");
  evidence.counts.involuntary = 101;
  EXPECT_EQ(Why(evidence, kTwo),
            "the kernel counted 2.010 switches a round trip where 2.000 were expected");
  evidence.counts.involuntary = 1000;  // 2.1
  EXPECT_EQ(Why(evidence, kTwo, SchedulingClass::kOther), "");
}

TEST(Evidence, ABareSystemCallIsNoSwitch) {
  Evidence evidence = Proven();
  evidence.counts.voluntary = 3;
  EXPECT_EQ(Why(evidence, kTwo),
            "the kernel counted 0.000 switches a round trip where 2.000 were expected");
}

TEST(Evidence, ADeclaredRangeIsAccepted) {
  Evidence evidence = Proven();
  evidence.counts.voluntary = 40'000;
  EXPECT_EQ(Why(evidence, kTwoToFour, SchedulingClass::kOther), "");
  evidence.counts.voluntary = 42'000;
  EXPECT_THAT(Why(evidence, kTwoToFour, SchedulingClass::kOther), HasSubstr("2.000 to 4.000"));
}

TEST(Evidence, TheOtherKindOfSwitchIsRefusedWhereThePathDeclaresOne) {
  Evidence evidence = Proven();
  EXPECT_EQ(Why(evidence, {2, 2, Mix::kVoluntary}), "");
  EXPECT_EQ(Why(evidence, {2, 2, Mix::kInvoluntary}),
            "the kernel counted 2.000 voluntary switches a round trip where the tasks never sleep");
  evidence.counts = {.voluntary = 100, .involuntary = 19'900};
  EXPECT_EQ(Why(evidence, {2, 2, Mix::kInvoluntary}), "");
  EXPECT_EQ(
      Why(evidence, {2, 2, Mix::kVoluntary}),
      "the kernel counted 1.990 involuntary switches a round trip where the tasks only sleep");
  evidence.counts = {.voluntary = 101, .involuntary = 19'899};
  EXPECT_THAT(Why(evidence, {2, 2, Mix::kInvoluntary}), HasSubstr("0.010 voluntary"));
  EXPECT_EQ(Why(evidence, {2, 2, Mix::kInvoluntary}, SchedulingClass::kOther), "");
}

TEST(Evidence, MigrationsClassesAndThrottlingInvalidate) {
  Evidence evidence = Proven();
  evidence.migrations = 1;
  EXPECT_THAT(Why(evidence, kTwo), HasSubstr("not pinned to its CPU at 1 batch ends"));
  evidence = Proven();
  evidence.class_changes = 2;
  EXPECT_THAT(Why(evidence, kTwo), HasSubstr("scheduling class at 2 batch ends"));
  evidence = Proven();
  evidence.rt_gaps = 1;  // one may be the host's pause
  EXPECT_EQ(Why(evidence, kTwo), "");
  evidence.rt_gaps = 2;
  EXPECT_THAT(Why(evidence, kTwo), HasSubstr("real-time throttling"));
  EXPECT_EQ(Why(evidence, kTwo, SchedulingClass::kOther), "");
}

TEST(Evidence, ThePerfEventMustAgree) {
  Evidence evidence = Proven();
  evidence.audit_event = 2000;
  evidence.audit_counts = 2000;
  evidence.audit_round_trips = 1000;
  EXPECT_EQ(Why(evidence, kTwo), "");
  evidence.audit_event = 0;
  EXPECT_THAT(Why(evidence, kTwo), HasSubstr("differ by -2.000 switches"));
}

TEST(Evidence, OnAnIsolatedCpuNobodyElseMayRun) {
  Evidence evidence = Proven();
  evidence.audit_round_trips = 1000;
  evidence.other_switches = 1;
  EXPECT_THAT(Why(evidence, kTwo), HasSubstr("others ran on the isolated CPU"));
  EXPECT_EQ(Why(evidence, kTwo, SchedulingClass::kOther), "");
  evidence.other_switches = 3;
  EXPECT_THAT(Why(evidence, kTwo, SchedulingClass::kOther), HasSubstr("0.003"));
}

TEST(Evidence, MoreThanAThirdOfCrowdedBatchesIsTooMuch) {
  Evidence evidence = Proven();
  EXPECT_FALSE(IsCrowded(evidence));
  evidence.batches = 99;
  evidence.crowded_batches = 33;
  EXPECT_FALSE(IsCrowded(evidence));
  evidence.crowded_batches = 34;
  EXPECT_TRUE(IsCrowded(evidence));
  EXPECT_DOUBLE_EQ(evidence.CrowdedShare(), 34.0 / 99);
}

}  // namespace
}  // namespace ctxgate
