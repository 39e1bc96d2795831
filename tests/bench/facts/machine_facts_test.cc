// SPDX-License-Identifier: Apache-2.0
// What the processor, its power settings and the platform are said to be.
#include <gtest/gtest.h>

#include "ctxgate/bench/facts/cpu.h"
#include "ctxgate/bench/facts/platform.h"
#include "ctxgate/bench/facts/power.h"
#include "tests/bench/facts/tree.h"

namespace ctxgate {
namespace {

constexpr char kCpus[] = "sys/devices/system/cpu/";

FactMap CpuIdentity(const Tree& tree, int cpu) {
  Facts facts;
  AddCpuFacts(tree.roots(), cpu, facts);
  return facts.identity;
}

FactMap PowerIdentity(const Tree& tree, int cpu) {
  Facts facts;
  AddPowerFacts(tree.roots(), cpu, facts);
  return facts.identity;
}

FactMap PlatformIdentity(const Tree& tree, const Self& self) {
  Facts facts;
  AddPlatformFacts(tree.roots(), self, facts);
  return facts.identity;
}

TEST(CpuFacts, OfTheMetalMachine) {
  const FactMap expected = {
      {"cpu_vendor", "GenuineIntel"},
      {"cpu_family", "6"},
      {"cpu_model", "85"},
      {"cpu_name", "Intel(R) Xeon(R) Gold 6252 CPU @ 2.10GHz"},
      {"cpu_stepping", "7"},
      {"cpu_variant", "none"},
      {"cpu_microcode", "0x5003604"},
      {"caches",
       "L1 Data 32K 8-way 64B shared by 3,7; L1 Instruction 32K 8-way 64B shared by 3,7; "
       "L2 Unified 1024K 16-way 64B shared by 3,7; L3 Unified 36608K 11-way 64B shared by 0-7"},
      {"cpus_online", "0-7"},
      {"packages", "1"},
      {"core_cpus", "3,7"},
      {"measured_cpu", "7"}};
  EXPECT_EQ(CpuIdentity(Tree("metal"), 7), expected);
}

TEST(CpuFacts, AreThoseOfTheMeasuredCpu) {
  Tree tree;
  tree.Write("proc/cpuinfo",
             "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x1\n"
             "CPU part\t: 0xd0b\nCPU revision\t: 1\n\nprocessor\t: 4\nCPU implementer\t: 0x41\n"
             "CPU part\t: 0xd44\n\nHardware\t: Some board\nSerial\t: 1234\n");
  EXPECT_EQ(CpuIdentity(tree, 4).at("cpu_model"), "0xd44");
  const FactMap first = CpuIdentity(tree, 0);
  EXPECT_EQ(first.at("cpu_vendor"), "0x41");
  EXPECT_EQ(first.at("cpu_family"), "8");
  EXPECT_EQ(first.at("cpu_model"), "0xd0b");
  EXPECT_EQ(first.at("cpu_variant"), "0x1");
  EXPECT_EQ(first.at("cpu_stepping"), "1");
  EXPECT_EQ(first.at("cpu_microcode"), "none");
  EXPECT_EQ(CpuIdentity(tree, 9).at("cpu_model"), "0xd0b") << "a renumbered file";
}

TEST(CpuFacts, CountPackagesOfOnlineCpus) {
  Tree tree("vm");
  EXPECT_EQ(CpuIdentity(tree, 1).at("packages"), "1");
  tree.Write(std::string(kCpus) + "cpu1/topology/physical_package_id", "1");
  EXPECT_EQ(CpuIdentity(tree, 1).at("packages"), "2");
  tree.Write(std::string(kCpus) + "online", "0");
  EXPECT_EQ(CpuIdentity(tree, 0).at("packages"), "1");
}

TEST(CpuFacts, AreUnknownForAnUnknownCpu) {
  const FactMap identity = CpuIdentity(Tree("vm"), -1);
  EXPECT_EQ(identity.at("caches"), "unknown");
  EXPECT_EQ(identity.at("core_cpus"), "unknown");
  EXPECT_EQ(identity.at("measured_cpu"), "unknown");
  EXPECT_EQ(identity.at("cpu_name"), "AMD EPYC");
}

TEST(CpuFacts, TellUnreadableFromAbsent) {
  const FactMap broken = CpuIdentity(Tree("broken"), 1);
  for (const char* name : {"cpu_name", "caches", "cpus_online", "packages"}) {
    EXPECT_EQ(broken.at(name), "unknown") << name;
  }
  EXPECT_EQ(CoreCpus(Tree("broken").roots(), 1), std::nullopt);
  const FactMap empty = CpuIdentity(Tree("empty"), 1);
  for (const char* name : {"cpu_name", "caches", "cpus_online", "core_cpus"}) {
    EXPECT_EQ(empty.at(name), "none") << name;
  }
}

TEST(PowerFacts, OfTheMetalMachine) {
  const FactMap expected = {{"frequency_driver", "intel_pstate"},
                            {"frequency_governor", "powersave"},
                            {"frequency_limits", "lowest-2100000"},
                            {"energy_preference", "balance_performance"},
                            {"boost", "on"},
                            {"idle_driver", "intel_idle"},
                            {"idle_governor", "menu"},
                            {"idle_states", "POLL, C1, C1E, C6"}};
  EXPECT_EQ(PowerIdentity(Tree("metal"), 7), expected);
}

TEST(PowerFacts, OfAMachineWithoutScalingAreNone) {
  for (const auto& [name, value] : PowerIdentity(Tree("empty"), 1))
    EXPECT_EQ(value, "none") << name;
  const FactMap vm = PowerIdentity(Tree("vm"), 1);
  EXPECT_EQ(vm.at("frequency_governor"), "none");
  EXPECT_EQ(vm.at("frequency_limits"), "none");
  EXPECT_EQ(vm.at("idle_states"), "POLL, haltpoll idle");
  EXPECT_EQ(PowerIdentity(Tree("vm"), -1).at("idle_states"), "unknown");
  EXPECT_EQ(PowerIdentity(Tree("broken"), 1).at("frequency_governor"), "unknown");
  EXPECT_EQ(PowerIdentity(Tree("broken"), 1).at("boost"), "unknown");
}

TEST(PowerFacts, NameWhatSomebodySet) {
  Tree tree("metal");
  const std::string cpu = std::string(kCpus) + "cpu7/";
  tree.Write(cpu + "cpufreq/scaling_max_freq", "3700000\n");
  EXPECT_EQ(PowerIdentity(tree, 7).at("frequency_limits"), "lowest-highest");
  tree.Write(cpu + "cpuidle/state3/disable", "1\n");
  EXPECT_EQ(PowerIdentity(tree, 7).at("idle_states"), "POLL, C1, C1E, C6 (disabled)");
  tree.Spoil(cpu + "cpufreq/scaling_min_freq");
  EXPECT_EQ(PowerIdentity(tree, 7).at("frequency_limits"), "unknown");
  tree.Remove(std::string(kCpus) + "cpuidle/current_governor");
  tree.Write(std::string(kCpus) + "cpuidle/current_governor_ro", "ladder\n");
  EXPECT_EQ(PowerIdentity(tree, 7).at("idle_governor"), "ladder");
}

TEST(FindBoost, AsksWhoeverIsInCharge) {
  Tree tree("metal");
  const std::string cpus = kCpus;
  const std::string no_turbo = tree.top() + "/" + cpus + "intel_pstate/no_turbo";
  EXPECT_EQ(FindBoost(tree.roots(), 7).file, no_turbo);
  EXPECT_EQ(FindBoost(tree.roots(), 7).off_value, "1");
  tree.Write(cpus + "intel_pstate/no_turbo", "1\n");
  EXPECT_EQ(FindBoost(tree.roots(), 7).state, "off");
  tree.Spoil(cpus + "intel_pstate/no_turbo");
  EXPECT_EQ(FindBoost(tree.roots(), 7).state, "unknown");
  // intel_pstate stepped aside: its switch does nothing.
  tree.Write(cpus + "intel_pstate/status", "off\n");
  EXPECT_EQ(FindBoost(tree.roots(), 7).state, "none");
  tree.Write(cpus + "cpufreq/boost", "1\n");
  EXPECT_EQ(FindBoost(tree.roots(), 7).state, "on");
  EXPECT_EQ(FindBoost(tree.roots(), 7).off_value, "0");
  tree.Write(cpus + "cpu7/cpufreq/boost", "0\n");
  EXPECT_EQ(FindBoost(tree.roots(), 7).state, "off");
  EXPECT_EQ(FindBoost(tree.roots(), 6).state, "on");
}

TEST(PlatformFacts, OfBothMachines) {
  const FactMap metal = {{"hypervisor", "none"},
                         {"machine", "Dell Inc. PowerEdge R640"},
                         {"firmware", "Dell Inc. 2.19.1"},
                         {"memory", "64 GiB"},
                         {"clocksource", "hpet"}};
  EXPECT_EQ(PlatformIdentity(Tree("metal"), MetalSelf()), metal);
  const FactMap vm = {{"hypervisor", "KVM"},
                      {"machine", "none"},
                      {"firmware", "none"},
                      {"memory", "24 GiB"},
                      {"clocksource", "tsc"}};
  EXPECT_EQ(PlatformIdentity(Tree("vm"), VirtualSelf()), vm);
  EXPECT_EQ(PlatformIdentity(Tree("broken"), MetalSelf()).at("memory"), "unknown");
  EXPECT_EQ(PlatformIdentity(Tree("broken"), MetalSelf()).at("machine"), "unknown");
  EXPECT_EQ(PlatformIdentity(Tree("empty"), MetalSelf()).at("memory"), "none");
}

TEST(Hypervisor, IsNamedByWhatTells) {
  Tree tree;
  Self self = MetalSelf();
  const auto name = [&](const std::string& signature) {
    self.hypervisor_signature = signature;
    return Hypervisor(tree.roots(), self);
  };
  EXPECT_EQ(name("Microsoft Hv"), "Hyper-V");
  EXPECT_EQ(name("Newcomer"), "Newcomer");
  EXPECT_EQ(name("unnamed"), "unnamed");
  EXPECT_EQ(name(""), "none");
  tree.Write("sys/firmware/devicetree/base/model", std::string("linux,dummy-virt\0", 17));
  EXPECT_EQ(name(""), "KVM");
  tree.Write("sys/class/dmi/id/sys_vendor", "Amazon EC2")
      .Write("sys/class/dmi/id/product_name", "m6g.large");
  EXPECT_EQ(name(""), "KVM");
  tree.Write("sys/class/dmi/id/product_name", "m6g.metal");
  EXPECT_EQ(name(""), "none");
  tree.Write("sys/hypervisor/type", "xen\n");
  EXPECT_EQ(name(""), "Xen");
}

// The same machine under kernels that keep more or less for themselves.
TEST(InstalledMemory, SurvivesAnotherKernel) {
  for (const std::int64_t total : {24683652, 24500000, 25165824, 23100000}) {
    EXPECT_EQ(InstalledMemory(total), "24 GiB") << total;
  }
  for (const std::int64_t total : {1048576, 985000, 925000}) {
    EXPECT_EQ(InstalledMemory(total), "1 GiB") << total;
  }
  EXPECT_EQ(InstalledMemory(507904), "512 MiB");
  EXPECT_EQ(InstalledMemory(16777216), "16 GiB");
  EXPECT_EQ(InstalledMemory(16777217), "20 GiB");
  EXPECT_EQ(InstalledMemory(1), "1 KiB");
}

}  // namespace
}  // namespace ctxgate
