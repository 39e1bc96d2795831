// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/cpu_time.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace ctxgate {
namespace {

class CpuTime : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/ctxgate-cpu-time-XXXXXX";
    roots_.proc = mkdtemp(name);
    std::filesystem::create_directories(roots_.proc + "/sys/kernel");
  }
  void TearDown() override { std::filesystem::remove_all(roots_.proc); }
  void Write(const std::string& file, const std::string& text) const {
    std::ofstream(roots_.proc + "/" + file) << text;
  }

  Roots roots_;
};

TEST_F(CpuTime, StealIsTheEighthColumnOfTheCpusOwnLine) {
  Write("stat",
        "cpu  9 9 9 9 9 9 9 900 0 0\ncpu0 1 2 3 4 5 6 7 50 0 0\ncpu1 1 2 3 4 5 6 7 8 0 0\n");
  const double tick_ms = 1000.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  EXPECT_DOUBLE_EQ(StealMs(roots_, 0).value_or(-1), 50 * tick_ms);
  EXPECT_DOUBLE_EQ(StealMs(roots_, 1).value_or(-1), 8 * tick_ms);
  EXPECT_FALSE(StealMs(roots_, 2).has_value());
}

TEST_F(CpuTime, OfAnOlderKernelOrWithoutTheFileNothingIsTold) {
  EXPECT_FALSE(StealMs(roots_, 0).has_value());
  Write("stat", "cpu0 1 2 3 4\n");
  EXPECT_FALSE(StealMs(roots_, 0).has_value());
}

TEST_F(CpuTime, TheBudgetIsReadAndElseTheKernelsDefault) {
  EXPECT_EQ(ReadRealTimeBudget(roots_).runtime_us, 950'000);
  EXPECT_EQ(ReadRealTimeBudget(roots_).period_us, 1'000'000);
  Write("sys/kernel/sched_rt_runtime_us", "-1\n");
  Write("sys/kernel/sched_rt_period_us", "500000\n");
  EXPECT_EQ(ReadRealTimeBudget(roots_).runtime_us, -1);
  EXPECT_EQ(ReadRealTimeBudget(roots_).period_us, 500'000);
}

}  // namespace
}  // namespace ctxgate
