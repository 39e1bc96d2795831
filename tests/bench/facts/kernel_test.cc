// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/kernel.h"

#include <gtest/gtest.h>

#include "ctxgate/bench/facts/build.h"
#include "ctxgate/bench/facts/command_line.h"
#include "tests/bench/facts/tree.h"

namespace ctxgate {
namespace {

FactMap Subject(const Tree& tree, int cpu, const Self& self) {
  Facts facts;
  AddKernelFacts(tree.roots(), cpu, self, facts);
  EXPECT_TRUE(facts.identity.empty());
  return facts.subject;
}

TEST(CommandLine, KeepsWhatChangesTheKernel) {
  EXPECT_EQ(PublicCommandLine("quiet  isolcpus=3\tmitigations=off preempt=full\n"),
            "quiet isolcpus=3 mitigations=off preempt=full");
  EXPECT_EQ(PublicCommandLine("rooted=1 ipv6.disable=1 systemd.unified_cgroup_hierarchy=0"),
            "rooted=1 ipv6.disable=1 systemd.unified_cgroup_hierarchy=0");
  EXPECT_EQ(PublicCommandLine(R"(dyndbg="file a.c +p" nosmt)"), R"(dyndbg="file a.c +p" nosmt)");
  EXPECT_EQ(PublicCommandLine(""), "");
}

TEST(CommandLine, LosesWhatNamesTheHost) {
  for (const char* option :
       {"root=/dev/sda1", "root=UUID=11-22", "ip=192.0.2.7::192.0.2.1:255.255.255.0:name:eth0:off",
        "nfsroot=192.0.2.1:/x", "hostname=alpha", "systemd.hostname=alpha", "BOOTIF=01-aa-bb",
        "systemd.machine_id=0123", "rd.luks.uuid=luks-1", "resume=/dev/mapper/swap", "rootwait",
        "BOOT_IMAGE=/boot/vmlinuz", "cryptdevice=UUID=1:root", "other=LABEL=alpha-disk",
        "ds=nocloud;h=alpha", "netconsole=@192.0.2.7/,@192.0.2.9/", "password=secret",
        "dm-mod.create=\"a,,,ro, 0 1 linear\"", "systemd.set_credential=a:b"}) {
    EXPECT_EQ(PublicCommandLine(std::string("quiet ") + option + " nosmt"), "quiet nosmt")
        << option;
  }
  EXPECT_EQ(PublicCommandLine("quiet -- --addr 192.0.2.7"), "quiet");
}

TEST(KernelCompiler, LeavesOutWhoBuiltIt) {
  EXPECT_EQ(
      KernelCompiler("Linux version 6.1.0 (me@host) (gcc-12 (Debian 12.2.0-14) 12.2.0, GNU ld "
                     "(GNU Binutils for Debian) 2.40) #1 SMP"),
      "gcc-12 (Debian 12.2.0-14) 12.2.0, GNU ld (GNU Binutils for Debian) 2.40");
  EXPECT_EQ(KernelCompiler("Linux version 6.1.0 (me@host)"), "unknown");
  EXPECT_EQ(KernelCompiler("Linux version 6.1.0 (me@host) (gcc (broken"), "unknown");
  EXPECT_EQ(KernelCompiler("rubbish"), "unknown");
}

TEST(Preemption, IsWhatTheKernelWasBuiltFor) {
  EXPECT_EQ(PreemptionBuilt("#1 SMP PREEMPT_DYNAMIC @0"), "PREEMPT_DYNAMIC");
  EXPECT_EQ(PreemptionBuilt("#1 SMP PREEMPT_RT Debian 6.1"), "PREEMPT_RT");
  EXPECT_EQ(PreemptionBuilt("#1 SMP Debian 6.1"), "none or voluntary");
  EXPECT_EQ(PreemptionBuilt("unknown"), "unknown");
}

// An ignored preempt= on the command line must not be taken for the truth.
TEST(Preemption, InForceIsReadNotGuessed) {
  Tree tree("vm");
  tree.Write("proc/cmdline", "preempt=lazy\n");
  EXPECT_EQ(Subject(tree, 1, VirtualSelf()).at("preemption_mode"), "unknown");
  tree.Write("sys/kernel/debug/sched/preempt", "none voluntary full (lazy)\n");
  EXPECT_EQ(Subject(tree, 1, VirtualSelf()).at("preemption_mode"), "lazy");
  tree.Write("sys/kernel/debug/sched/preempt", "full\n");
  EXPECT_EQ(Subject(tree, 1, VirtualSelf()).at("preemption_mode"), "full");
  tree.Remove("sys/kernel/debug/sched/preempt");
  tree.Write("proc/sys/kernel/version", "#1 SMP PREEMPT_RT Debian\n");
  EXPECT_EQ(Subject(tree, 1, VirtualSelf()).at("preemption_mode"), "full");
}

TEST(KernelFacts, OfTheMetalMachine) {
  const FactMap expected = {
      {"kernel_release", "6.1.0-30-amd64"},
      {"kernel_version", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.124-1 (2025-01-12)"},
      {"kernel_compiler",
       "gcc-12 (Debian 12.2.0-14) 12.2.0, GNU ld (GNU Binutils for Debian) 2.40"},
      {"cmdline", "ro quiet isolcpus=3,7 nohz_full=3,7 mitigations=off"},
      {"preemption", "PREEMPT_DYNAMIC"},
      {"preemption_mode", "voluntary"},
      {"hz", "250"},
      {"sched_ext", "none"},
      {"security_modules", "capability,apparmor"},
      {"transparent_hugepage", "always"},
      {"mitigation.meltdown", "Not affected"},
      {"mitigation.spectre_v2", "Vulnerable"},
      {"mitigation.process.Speculation_Store_Bypass", "vulnerable"},
      {"mitigation.process.SpeculationIndirectBranch", "always enabled"},
      {"sched.min_granularity_ns", "3000000"},
      {"sysctl.kernel.sched_autogroup_enabled", "1"},
      {"sysctl.kernel.sched_schedstats", "0"},
      {"sysctl.kernel.numa_balancing", "1"}};
  EXPECT_EQ(Subject(Tree("metal"), 7, MetalSelf()), expected);
}

TEST(KernelFacts, OfSpecialKernels) {
  Tree tree("vm");
  tree.Write("sys/kernel/sched_ext/state", "enabled\n")
      .Write("sys/kernel/sched_ext/root/ops", "lavd\n");
  tree.Write("sys/kernel/debug/sched/fair_server/cpu1/runtime", "50000000\n");
  tree.Write("proc/sys/kernel/sched_domain/cpu0/domain0/name", "MC\n");
  const FactMap subject = Subject(tree, 1, VirtualSelf());
  EXPECT_EQ(subject.at("sched_ext"), "enabled lavd");
  EXPECT_EQ(subject.at("sched.fair_server_runtime_ns"), "50000000");
  EXPECT_FALSE(subject.contains("sysctl.kernel.sched_domain"));
  EXPECT_FALSE(subject.contains("sysctl.kernel.sched_rt_runtime_us")) << "it is identity";
  EXPECT_EQ(subject.at("sysctl.kernel.sched_rr_timeslice_ms"), "100");
}

TEST(KernelFacts, NameTheTickRate) {
  Self self = VirtualSelf();
  for (const auto& [tick, hz] :
       {std::pair{std::int64_t{10000000}, "100"}, std::pair{std::int64_t{3333333}, "300"},
        std::pair{std::int64_t{1000000}, "1000"}, std::pair{std::int64_t{976562}, "1024"},
        std::pair{std::int64_t{0}, "unknown"}}) {
    self.tick_ns = tick;
    EXPECT_EQ(Subject(Tree("vm"), 1, self).at("hz"), hz);
  }
}

TEST(KernelFacts, TellUnreadableFromAbsent) {
  const FactMap broken = Subject(Tree("broken"), 1, VirtualSelf());
  for (const char* name : {"kernel_release", "kernel_version", "kernel_compiler", "cmdline",
                           "preemption", "preemption_mode"}) {
    EXPECT_EQ(broken.at(name), "unknown") << name;
  }
  const FactMap empty = Subject(Tree("empty"), 1, VirtualSelf());
  for (const char* name :
       {"kernel_release", "kernel_compiler", "cmdline", "preemption", "transparent_hugepage"}) {
    EXPECT_EQ(empty.at(name), "none") << name;
  }
  Tree bare;
  bare.Write("proc/cmdline", "root=/dev/sda1\n");
  EXPECT_EQ(Subject(bare, 1, VirtualSelf()).at("cmdline"), "none");
}

TEST(BuildFacts, DropFlagsThatNameDirectories) {
  EXPECT_EQ(FlagsThatMatter("-g -O2 -ffile-prefix-map=/build/x=. -fstack-protector-strong -Wformat "
                            "-Werror=format-security -Wp,-D_FORTIFY_SOURCE=2 -DNDEBUG"),
            "-O2 -fstack-protector-strong -Wp,-D_FORTIFY_SOURCE=2 -DNDEBUG");
  EXPECT_EQ(FlagsThatMatter("-I /a -isystem /b -I/c -O3 -MF x.d -o y -march=native -Wl,-O1"),
            "-O3 -march=native -Wl,-O1");
  EXPECT_EQ(FlagsThatMatter("-I -I -O1"), "-O1");
  EXPECT_EQ(FlagsThatMatter("-Wall -W"), "none");
  EXPECT_EQ(FlagsThatMatter("unknown"), "unknown");
}

TEST(BuildFacts, NameWhatMadeThisProgram) {
  Facts facts;
  AddBuildFacts(facts);
#ifdef __clang__
  EXPECT_EQ(facts.identity.at("compiler"), "clang " + std::to_string(__clang_major__));
#else
  EXPECT_EQ(facts.identity.at("compiler"), "gcc " + std::to_string(__GNUC__));
#endif
#ifdef __GLIBC__
  EXPECT_EQ(facts.identity.at("libc").rfind("glibc 2.", 0), 0u);
#endif
  EXPECT_NE(facts.identity.at("architecture"), "unknown");
  EXPECT_TRUE(facts.subject.empty());
}

}  // namespace
}  // namespace ctxgate
