// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/fitness.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <map>

#include "tests/bench/facts/tree.h"

namespace ctxgate {
namespace {

using State = Requirement::State;
using Judged = std::map<std::string, Requirement>;

RightsProbe AllGranted() { return {true, 0, true, 0, true, 0}; }

Judged Judge(const Tree& tree, int cpu, const Self& self, const RightsProbe& probe = AllGranted()) {
  Judged judged;
  for (const Requirement& entry :
       JudgeFitness(tree.roots(), cpu, self, [&](int, bool) { return probe; })) {
    EXPECT_TRUE(judged.emplace(entry.requirement, entry).second) << entry.requirement;
    EXPECT_FALSE(entry.found.empty()) << entry.requirement;
    EXPECT_TRUE(entry.state != State::kBad || !entry.remedy.empty()) << entry.requirement;
    EXPECT_TRUE(entry.state != State::kGood || entry.remedy.empty()) << entry.requirement;
  }
  return judged;
}

Judged JudgeVirtual(const Tree& tree, const RightsProbe& probe = AllGranted()) {
  return Judge(tree, 1, VirtualSelf(), probe);
}

TEST(Fitness, NamesEveryRequirementOnce) {
  std::vector<std::string> required;
  std::vector<std::string> advisory;
  for (const Requirement& entry :
       JudgeFitness(Tree("vm").roots(), 1, VirtualSelf(), [](int, bool) { return AllGranted(); })) {
    (entry.required ? required : advisory).push_back(entry.requirement);
  }
  EXPECT_EQ(required,
            (std::vector<std::string>{"fifo", "pinning", "rt_budget", "tracer", "cpu_quota"}));
  EXPECT_EQ(advisory,
            (std::vector<std::string>{"memory_lock", "isolation", "governor", "boost",
                                      "smt_sibling", "idle_states", "nohz_full", "clocksource",
                                      "virtualisation", "steal", "load", "runnable", "observers"}));
}

TEST(Fitness, OfTheVirtualMachine) {
  for (const auto& [name, entry] : JudgeVirtual(Tree("vm"))) {
    const bool bad = name == "isolation" || name == "virtualisation";
    EXPECT_EQ(entry.state, bad ? State::kBad : State::kGood) << name << ": " << entry.found;
  }
  EXPECT_EQ(JudgeVirtual(Tree("vm")).at("virtualisation").found, "guest of KVM");
}

TEST(Fitness, OfTheMetalMachine) {
  const Tree tree("metal");
  const Judged judged = Judge(tree, 7, MetalSelf());
  const std::string cpus = tree.top() + "/sys/devices/system/cpu/";
  EXPECT_EQ(judged.at("isolation").found, "CPU 7 is isolated");
  EXPECT_EQ(judged.at("governor").found, "powersave");
  EXPECT_EQ(judged.at("governor").remedy,
            "`echo performance | sudo tee " + cpus + "cpu7/cpufreq/scaling_governor`");
  EXPECT_EQ(judged.at("boost").remedy, "`echo 1 | sudo tee " + cpus + "intel_pstate/no_turbo`");
  EXPECT_EQ(judged.at("smt_sibling").found, "shares its core with CPU 3");
  EXPECT_EQ(judged.at("smt_sibling").remedy, "`echo 0 | sudo tee " + cpus + "cpu3/online`");
  EXPECT_EQ(judged.at("idle_states").found, "C6 (133 us to leave)");
  EXPECT_EQ(judged.at("nohz_full").found, "on, with intel_pstate, which needs the tick");
  EXPECT_EQ(judged.at("clocksource").state, State::kBad);
  EXPECT_EQ(judged.at("virtualisation").found, "none");
  EXPECT_EQ(judged.at("load").found, "1.85 in the last minute");
  EXPECT_EQ(judged.at("runnable").found, "2 other tasks want to run");
  EXPECT_EQ(judged.at("observers").found, "perf_6.1 (812)");
  for (const char* bad : {"governor", "boost", "smt_sibling", "idle_states", "nohz_full", "load",
                          "runnable", "observers"}) {
    EXPECT_EQ(judged.at(bad).state, State::kBad) << bad;
  }
  for (const char* good : {"isolation", "virtualisation", "steal", "tracer", "cpu_quota"}) {
    EXPECT_EQ(judged.at(good).state, State::kGood) << good;
  }
}

TEST(Fitness, IsBetterOnAMachineSetUpForIt) {
  Tree tree("metal");
  const std::string cpu = "sys/devices/system/cpu/cpu7/";
  tree.Write(cpu + "cpufreq/scaling_governor", "performance\n")
      .Write(cpu + "cpufreq/scaling_driver", "acpi-cpufreq\n")
      .Write(cpu + "topology/thread_siblings_list", "7\n")
      .Write(cpu + "cpuidle/state3/disable", "1\n")
      .Write("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n")
      .Write("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n")
      .Write("proc/loadavg", "0.99 0 0 1/1 1\n")
      .Write("proc/stat", "cpu7 10 0 10 0 0 0 0 0 0 0\nprocs_running 1\n")
      .Remove("proc/812");
  for (const auto& [name, entry] : Judge(tree, 7, MetalSelf())) {
    EXPECT_EQ(entry.state, State::kGood) << name << ": " << entry.found;
  }
}

TEST(Fitness, IsUnknownWhereNothingCanBeRead) {
  const Judged judged = JudgeVirtual(Tree("broken"));
  for (const char* name : {"tracer", "cpu_quota", "rt_budget", "isolation", "governor", "boost",
                           "smt_sibling", "nohz_full", "steal", "load", "runnable"}) {
    EXPECT_EQ(judged.at(name).state, State::kUnknown) << name << ": " << judged.at(name).found;
  }
  EXPECT_EQ(JudgeVirtual(Tree("empty")).at("observers").state, State::kUnknown);
  EXPECT_EQ(JudgeVirtual(Tree("empty")).at("clocksource").state, State::kUnknown);
  const Judged nowhere = Judge(Tree("vm"), -1, VirtualSelf());
  for (const char* name : {"pinning", "isolation", "smt_sibling", "idle_states", "nohz_full"}) {
    EXPECT_EQ(nowhere.at(name).state, State::kUnknown) << name;
  }
}

TEST(Fitness, ExplainsRefusals) {
  Tree tree("vm");
  tree.SetStatus("CapEff", "0000000000000000");
  const Judged refused = JudgeVirtual(tree, {true, EINVAL, false, EPERM, false, ENOMEM});
  EXPECT_EQ(refused.at("fifo").state, State::kBad);
  EXPECT_NE(refused.at("fifo").found.find("CAP_SYS_NICE is missing"), std::string::npos);
  EXPECT_EQ(refused.at("pinning").state, State::kBad);
  EXPECT_NE(refused.at("pinning").found.find("pinning to CPU 1 was refused"), std::string::npos);
  EXPECT_NE(refused.at("memory_lock").found.find("RLIMIT_MEMLOCK is 8192 KiB"), std::string::npos);
  const Judged pretended = JudgeVirtual(tree, {true, 0, false, 0, false, 0});
  EXPECT_NE(pretended.at("fifo").found.find("is not in effect"), std::string::npos);
  EXPECT_NE(pretended.at("pinning").found.find("is not in effect"), std::string::npos);
  const Judged silent = JudgeVirtual(tree, {});
  for (const char* name : {"fifo", "pinning", "memory_lock"}) {
    EXPECT_EQ(silent.at(name).state, State::kUnknown) << name;
  }
}

TEST(Fitness, DoesNotTryTheClassWithoutAnyBudget) {
  Tree tree("vm");
  std::vector<bool> with_fifo;
  const RightsProber prober = [&](int cpu, bool fifo) {
    EXPECT_EQ(cpu, 1);
    with_fifo.push_back(fifo);
    return AllGranted();
  };
  JudgeFitness(tree.roots(), 1, VirtualSelf(), prober);
  tree.Write("proc/sys/kernel/sched_rt_runtime_us", "0\n");
  const auto judged = JudgeFitness(tree.roots(), 1, VirtualSelf(), prober);
  EXPECT_EQ(with_fifo, (std::vector<bool>{true, false}));
  EXPECT_EQ(judged[0].state, State::kBad);
  EXPECT_EQ(judged[0].found, "not tried: the machine's real-time budget is 0");
  EXPECT_EQ(judged[2].state, State::kBad);
  EXPECT_EQ(judged[2].found, "0 of 1000000 us");
}

TEST(Fitness, JudgesTheRealTimeBudget) {
  Tree tree("vm");
  EXPECT_EQ(JudgeVirtual(tree).at("rt_budget").found, "950000 of 1000000 us");
  tree.Write("proc/sys/kernel/sched_rt_runtime_us", "-1\n");
  EXPECT_EQ(JudgeVirtual(tree).at("rt_budget").found, "unlimited");
  tree.Remove("proc/sys/kernel/sched_rt_runtime_us");
  EXPECT_EQ(JudgeVirtual(tree).at("rt_budget").found, "no limit in this kernel");
  tree.Write("sys/fs/cgroup/cpu/cpu.rt_runtime_us", "0\n");
  EXPECT_EQ(JudgeVirtual(tree).at("rt_budget").state, State::kBad);
  EXPECT_EQ(JudgeVirtual(tree).at("rt_budget").remedy,
            "`echo 950000 | sudo tee " + tree.top() + "/sys/fs/cgroup/cpu/cpu.rt_runtime_us`");
}

TEST(Fitness, NamesTheTracer) {
  Tree tree("vm");
  tree.SetStatus("TracerPid", "812").Write("proc/812/comm", "strace\n");
  EXPECT_EQ(JudgeVirtual(tree).at("tracer").state, State::kBad);
  EXPECT_EQ(JudgeVirtual(tree).at("tracer").found,
            "traced by strace (812): every system call stops twice for it");
  EXPECT_EQ(JudgeVirtual(tree).at("observers").found, "strace (812)");
  tree.Remove("proc/812");
  EXPECT_NE(JudgeVirtual(tree).at("tracer").found.find("process (812)"), std::string::npos);
}

TEST(Fitness, NamesTheQuotaWithItsCount) {
  Tree tree("vm");
  const std::string group = "sys/fs/cgroup/cpu/";
  tree.Write(group + "cpu.cfs_quota_us", "20000\n")
      .Write(group + "cpu.stat", "nr_periods 25\nnr_throttled 25\nthrottled_time 1\n");
  const Requirement tight = JudgeVirtual(tree).at("cpu_quota");
  EXPECT_EQ(tight.state, State::kBad);
  EXPECT_EQ(tight.found, "20 % of a CPU (" + tree.top() + "/" + group +
                             "cpu.cfs_quota_us), throttled in 25 of 25 periods");
  EXPECT_EQ(tight.remedy.rfind("`echo -1 | sudo tee ", 0), 0u);
  tree.Write(group + "cpu.cfs_quota_us", "199000\n");
  EXPECT_EQ(JudgeVirtual(tree).at("cpu_quota").state, State::kBad);
  tree.Write(group + "cpu.cfs_quota_us", "200000\n");
  EXPECT_EQ(JudgeVirtual(tree).at("cpu_quota").state, State::kGood);
  Tree unified("metal");
  unified.Write("sys/fs/cgroup/user.slice/cpu.max", "50000 100000\n");
  EXPECT_EQ(Judge(unified, 7, MetalSelf()).at("cpu_quota").remedy.rfind("`echo max ", 0), 0u);
}

TEST(Fitness, JudgesStealTicklessAndClocks) {
  Tree tree("vm");
  tree.Write("proc/stat", "cpu1 100 0 0 900 0 0 0 1 0 0\nprocs_running 1\n");
  EXPECT_EQ(JudgeVirtual(tree).at("steal").state, State::kGood);
  tree.Write("proc/stat", "cpu1 100 0 0 900 0 0 0 2 0 0\nprocs_running 1\n");
  EXPECT_EQ(JudgeVirtual(tree).at("steal").found, "2 of 102 busy ticks since boot");
  EXPECT_EQ(JudgeVirtual(tree).at("steal").state, State::kBad);
  tree.Write("sys/devices/system/cpu/nohz_full", "1\n");
  EXPECT_EQ(JudgeVirtual(tree).at("nohz_full").found, "on");
  const std::string clock = "sys/devices/system/clocksource/clocksource0/current_clocksource";
  tree.Write(clock, "kvm-clock\n");
  EXPECT_EQ(JudgeVirtual(tree).at("clocksource").state, State::kGood);
  tree.Write(clock, "newclock\n");
  EXPECT_EQ(JudgeVirtual(tree).at("clocksource").state, State::kUnknown);
  tree.Write("proc/sys/kernel/osrelease", "5.15.90.1-microsoft-standard-WSL2\n");
  EXPECT_EQ(JudgeVirtual(tree).at("virtualisation").found, "WSL");
}

}  // namespace
}  // namespace ctxgate
