// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/facts.h"

#include <gtest/gtest.h>

#include "ctxgate/bench/facts/conditions.h"
#include "ctxgate/bench/facts/fitness.h"
#include "tests/bench/facts/tree.h"

namespace ctxgate {
namespace {

std::string Everything(const Facts& facts) { return FactsJson(facts, {}); }

TEST(CollectFacts, PutsSchedulingWhereItBelongs) {
  const Facts metal = CollectFacts(Tree("metal").roots(), 7, MetalSelf());
  EXPECT_EQ(metal.identity.at("rt_runtime_us"), "950000");
  EXPECT_EQ(metal.identity.at("rt_period_us"), "1000000");
  EXPECT_EQ(metal.identity.at("isolated"), "yes");
  EXPECT_EQ(metal.identity.at("address_randomisation"), "2");
  EXPECT_EQ(metal.identity.at("seccomp"), "none");
  EXPECT_EQ(metal.subject.at("nohz_full"), "3,7");
  EXPECT_EQ(metal.record.at("allowed_cpus"), "0-7");
  EXPECT_EQ(metal.record.at("cgroup_depth"), "3");
  EXPECT_EQ(metal.record.at("cgroup_rt_runtime_us"), "none");
  EXPECT_EQ(metal.record.at("limit_memlock"), "8388608");
  EXPECT_EQ(metal.record.at("throttle_count"), "17");
  EXPECT_EQ(metal.record.at("frequency_khz"), "1091000");
  EXPECT_EQ(metal.record.at("load_average"), "1.85 0.90 0.40");
  EXPECT_EQ(metal.record.at("pressure_cpu"), "none");
  EXPECT_EQ(metal.record.at("kernel_taint"), "4096");
  const Facts vm = CollectFacts(Tree("vm").roots(), 1, VirtualSelf());
  EXPECT_EQ(vm.identity.at("isolated"), "no");
  EXPECT_EQ(vm.subject.at("nohz_full"), "none");
  EXPECT_EQ(vm.record.at("cgroup_depth"), "0");
  EXPECT_EQ(vm.record.at("cgroup_rt_runtime_us"), "950000");
  EXPECT_EQ(vm.record.at("steal_ticks"), "7");
  EXPECT_EQ(vm.record.at("runnable_tasks"), "1");
  EXPECT_EQ(vm.record.at("uptime_s"), "719.10");
  EXPECT_EQ(vm.record.at("pressure_cpu"), "some avg10=0.91");
}

TEST(CollectFacts, NoticesFiltersAndPersonalities) {
  Tree tree("vm");
  Self self = VirtualSelf();
  self.address_randomised = false;
  self.limits.rtprio = RLIM_INFINITY;
  tree.SetStatus("Seccomp", "2");
  Facts facts = CollectFacts(tree.roots(), 1, self);
  EXPECT_EQ(facts.identity.at("seccomp"), "filter");
  EXPECT_EQ(facts.identity.at("address_randomisation"), "off (personality)");
  EXPECT_EQ(facts.record.at("limit_rtprio"), "unlimited");
  tree.SetStatus("Seccomp", "1").Write("sys/devices/system/cpu/nohz_full", "(null)\n");
  facts = CollectFacts(tree.roots(), 1, self);
  EXPECT_EQ(facts.identity.at("seccomp"), "strict");
  EXPECT_EQ(facts.subject.at("nohz_full"), "none");
  // A kernel without CONFIG_SECCOMP equals one whose process has no filter.
  tree.Write("proc/self/status", "Pid:\t1\n");
  EXPECT_EQ(CollectFacts(tree.roots(), 1, self).identity.at("seccomp"), "none");
}

// Whatever the next boot changes by itself, identity must not: memory kept by the kernel,
// frequency, load, boot identifier, pids.
TEST(CollectFacts, IdentitySurvivesAReboot) {
  Tree before("metal");
  Tree after("metal");
  after.Write("proc/meminfo", "MemTotal:       65570000 kB\n")
      .Write("proc/loadavg", "9.00 9.00 9.00 9/900 9\n")
      .Write("proc/sys/kernel/random/boot_id", "ffffffff-0000-4000-8000-000000000001\n")
      .Write("sys/devices/system/cpu/cpu7/cpufreq/scaling_cur_freq", "3400000\n")
      .Write("sys/devices/system/cpu/cpu7/thermal_throttle/core_throttle_count", "0\n")
      .Write("proc/self/cgroup", "0::/user.slice/user-1000.slice/session-99.scope\n")
      .Write("proc/stat", "cpu7 1 1 1 1 1 1 1 1 1 1\n");
  const Facts first = CollectFacts(before.roots(), 7, MetalSelf());
  const Facts second = CollectFacts(after.roots(), 7, MetalSelf());
  EXPECT_EQ(first.identity, second.identity);
  EXPECT_EQ(first.subject, second.subject);
  EXPECT_NE(first.record, second.record);
}

TEST(CollectFacts, HoldsNothingUnknownOnASoundMachine) {
  for (const char* name : {"vm", "metal"}) {
    const Tree tree(name);
    for (const auto& [fact, value] : CollectFacts(tree.roots(), 7, MetalSelf()).identity) {
      const bool from_build = fact == "compiler_flags" || fact == "benchmark_library";
      EXPECT_TRUE(from_build || value != "unknown") << name << ": " << fact;
    }
  }
}

TEST(CollectFacts, NamesNoHost) {
  for (const char* name : {"vm", "metal"}) {
    const Tree tree(name);
    const std::string text = Everything(CollectFacts(tree.roots(), 1, VirtualSelf()));
    for (const char* secret :
         {"host-a", "192.0.2", "/dev/", "UUID", "build-host", "someone", "--port"}) {
      EXPECT_EQ(text.find(secret), std::string::npos) << name << ": " << secret;
    }
  }
}

TEST(CollectFacts, StandsBrokenTrees) {
  const Facts broken = CollectFacts(Tree("broken").roots(), 1, VirtualSelf());
  for (const char* name : {"rt_runtime_us", "isolated", "address_randomisation", "seccomp"}) {
    EXPECT_EQ(broken.identity.at(name), "unknown") << name;
  }
  EXPECT_EQ(broken.subject.at("nohz_full"), "unknown");
  for (const char* name : {"load_average", "runnable_tasks", "steal_ticks", "cgroup_depth"}) {
    EXPECT_EQ(broken.record.at(name), "unknown") << name;
  }
  EXPECT_EQ(CollectFacts(Tree("empty").roots(), -1, VirtualSelf()).record.at("cgroup_depth"),
            "none");
  Tree odd("vm");
  odd.Write("sys/devices/system/clocksource/clocksource0/current_clocksource", "a\xff\nb");
  EXPECT_EQ(CollectFacts(odd.roots(), 1, VirtualSelf()).identity.at("clocksource"), "a? b");
}

TEST(ReadCpuTime, CountsStealAsBusy) {
  const Tree tree("vm");
  const auto one = ReadCpuTime(tree.roots(), 1);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->busy, 2572 + 1284 + 34 + 7);
  EXPECT_EQ(one->steal, 7);
  EXPECT_EQ(ReadCpuTime(tree.roots(), -1)->steal, 12);
  EXPECT_EQ(ReadCpuTime(tree.roots(), 2), std::nullopt);
  Tree odd;
  odd.Write("proc/stat", "cpu0 1 2 3 x 5 6 7 8 9\n");
  EXPECT_EQ(ReadCpuTime(odd.roots(), 0), std::nullopt);
}

TEST(FactsJson, IsStrict) {
  Facts facts;
  facts.identity["a\"b"] = "c\\d";
  facts.record = {{"x", "1"}, {"y", "2"}};
  const std::vector<Requirement> fitness = {
      {"fifo", Requirement::State::kBad, "refused", "`ulimit`", true},
      {"load", Requirement::State::kGood, "0", "", false},
      {"odd", Requirement::State::kUnknown, "", "", false}};
  EXPECT_EQ(FactsJson(facts, fitness), R"({
  "identity": {
    "a\"b": "c\\d"
  },
  "subject": {},
  "record": {
    "x": "1",
    "y": "2"
  },
  "fitness": [
    {"requirement": "fifo", "state": "bad", "found": "refused", "remedy": "`ulimit`", "required": true},
    {"requirement": "load", "state": "good", "found": "0", "remedy": "", "required": false},
    {"requirement": "odd", "state": "unknown", "found": "", "remedy": "", "required": false}
  ]
})");
  EXPECT_EQ(FactsJson({}, {}),
            "{\n  \"identity\": {},\n  \"subject\": {},\n  \"record\": {},\n  \"fitness\": []\n}");
}

TEST(ReadSelf, AnswersOnThisMachine) {
  const Self self = ReadSelf();
  EXPECT_FALSE(self.allowed_cpus.empty());
  EXPECT_GT(self.tick_ns, 0);
  EXPECT_FALSE(CollectFacts(Roots{}, self.allowed_cpus.back(), self).identity.empty());
}

}  // namespace
}  // namespace ctxgate
