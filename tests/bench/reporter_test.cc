// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/reporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace ctxgate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(FixedNameReporter, WritesTheNameWithoutTheMeasurementPlan) {
  const std::map<std::string, double> cpu = {{"switch/pipe", 0.25}};
  FixedNameReporter reporter(&cpu);
  std::ostringstream out;
  reporter.SetOutputStream(&out);
  benchmark::BenchmarkReporter::Run run;
  run.run_name.function_name = "switch/pipe";
  run.run_name.iterations = "iterations:5";
  run.run_name.time_type = "manual_time";
  run.iterations = 5;
  run.real_accumulated_time = 1;
  reporter.ReportRuns({run});
  EXPECT_THAT(out.str(), HasSubstr("\"name\": \"switch/pipe\""));
  EXPECT_THAT(out.str(), HasSubstr("\"run_name\": \"switch/pipe\""));
  EXPECT_THAT(out.str(), Not(HasSubstr("manual_time")));
  EXPECT_THAT(out.str(), HasSubstr("\"cpu_time\": 5.0000000000000000e+07"));
  EXPECT_THAT(out.str(), HasSubstr("\"real_time\": 2.0000000000000000e+08"));
}

TEST(JsonSafe, ReplacesWhatTheLibraryWouldWriteRaw) {
  EXPECT_EQ(JsonSafe("a\x1b[31m\n\xff b"), "a?[31m?? b");
  EXPECT_EQ(JsonSafe("plain \"quoted\" \\ text"), "plain \"quoted\" \\ text");
}

}  // namespace
}  // namespace ctxgate
