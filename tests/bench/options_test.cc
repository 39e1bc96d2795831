// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ctxgate {
namespace {

using ::testing::HasSubstr;

Options Parsed(const std::vector<std::string>& arguments) {
  Options options;
  const auto failure = ParseOptions(arguments, &options);
  EXPECT_FALSE(failure.has_value()) << failure->message;
  return options;
}

std::string Refusal(const std::vector<std::string>& arguments) {
  Options options;
  const auto failure = ParseOptions(arguments, &options);
  EXPECT_TRUE(failure && failure->kind == Failure::Kind::kUsage);
  return failure ? failure->message : "";
}

TEST(Options, BothSpellingsOfAValue) {
  EXPECT_EQ(Parsed({"--cpu", "3"}).cpu, 3);
  EXPECT_EQ(Parsed({"--cpu=0"}).cpu, 0);
  EXPECT_EQ(Parsed({"--class=other"}).scheduling_class, SchedulingClass::kOther);
  EXPECT_EQ(Parsed({"--out", "a b.json", "--seed=7", "--deadline", "5"}).out, "a b.json");
  EXPECT_EQ(Parsed({"--seed=18446744073709551615"}).seed, 18446744073709551615ULL);
}

TEST(Options, GoogleBenchmarksSpellingsMeanTheSame) {
  const Options options = Parsed({"--benchmark_out=x.json", "--benchmark_out_format=json",
                                  "--benchmark_filter=pipe", "--benchmark_format=json"});
  EXPECT_EQ(options.out, "x.json");
  EXPECT_EQ(options.filter, "pipe");
  EXPECT_EQ(Parsed({"--benchmark_list_tests=true"}).action, Options::Action::kList);
}

TEST(Options, FactsWinOverAListing) {
  EXPECT_EQ(Parsed({"--facts", "--benchmark_list_tests=true"}).action, Options::Action::kFacts);
  EXPECT_EQ(Parsed({"--list", "--facts"}).action, Options::Action::kFacts);
}

TEST(Options, ContextIsKeptWithItsEqualsSigns) {
  const Options options = Parsed({"--context", "ctxgate.session=a=b", "--context=k="});
  EXPECT_EQ(options.context.at("ctxgate.session"), "a=b");
  EXPECT_EQ(options.context.at("k"), "");
}

TEST(Options, WhatIsWrongIsNamed) {
  EXPECT_THAT(Refusal({"--cpu", "-1"}), HasSubstr("--cpu takes a whole number from 0, not '-1'"));
  EXPECT_THAT(Refusal({"--cpu", "1x"}), HasSubstr("'1x'"));
  EXPECT_THAT(Refusal({"--deadline=0"}), HasSubstr("from 1"));
  EXPECT_THAT(Refusal({"--class", "rr"}), HasSubstr("fifo or other, not 'rr'"));
  EXPECT_THAT(Refusal({"--filter", "("}), HasSubstr("no regular expression"));
  EXPECT_THAT(Refusal({"--context", "novalue"}), HasSubstr("KEY=VALUE"));
  EXPECT_THAT(Refusal({"--context", "a=1", "--context", "a=2"}), HasSubstr("names a twice"));
  EXPECT_THAT(Refusal({"--benchmark_repetitions=3"}), HasSubstr("unknown option"));
  EXPECT_THAT(Refusal({"--benchmark_format=csv"}), HasSubstr("only json"));
  EXPECT_THAT(Refusal({"pipe"}), HasSubstr("unexpected argument 'pipe'"));
  EXPECT_THAT(Refusal({"--nonsense"}), HasSubstr("--nonsense"));
  EXPECT_THAT(Refusal({"--out="}), HasSubstr("takes a file"));
}

}  // namespace
}  // namespace ctxgate
