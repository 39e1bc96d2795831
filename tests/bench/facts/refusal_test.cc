// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/refusal.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/bench/facts/tree.h"

namespace ctxgate {
namespace {

constexpr char kNoRights[] = "0000000000000000";
constexpr char kAllRights[] = "000001ffffffffff";
constexpr char kWithoutNice[] = "000001ffff7fffff";  // bit 23
constexpr char kWithoutLock[] = "000001ffffffbfff";  // bit 14

Refusal Fifo(const Tree& tree, int error, rlim_t rtprio = 0) {
  return DiagnoseRefusal(tree.roots(), RefusedCall::kSchedulerClass, error, 1, 50, {rtprio, 0});
}

Refusal Pin(const Tree& tree, int error, int cpu) {
  return DiagnoseRefusal(tree.roots(), RefusedCall::kAffinity, error, cpu, 50, {0, 0});
}

Refusal Lock(const Tree& tree, int error, rlim_t memlock) {
  return DiagnoseRefusal(tree.roots(), RefusedCall::kMemoryLock, error, 1, 50, {0, memlock});
}

TEST(RefusedFifo, ForWantOfCapabilityAndLimit) {
  Tree tree("vm");
  tree.SetStatus("CapEff", kNoRights);
  const Refusal refusal = Fifo(tree, EPERM, 10);
  EXPECT_EQ(refusal.cause,
            "SCHED_FIFO priority 50 was refused (Operation not permitted): CAP_SYS_NICE is missing "
            "and RLIMIT_RTPRIO is 10");
  EXPECT_EQ(refusal.remedy,
            "`sudo prlimit --pid $$ --rtprio=50` in this shell, then again; or "
            "`sudo setcap cap_sys_nice+ep` on the program; or run it as root");
  EXPECT_EQ(ExplainRefusal(tree.roots(), RefusedCall::kSchedulerClass, EPERM, 1, 50, {10, 0}),
            refusal.cause + ". Remedy: " + refusal.remedy + ".");
  tree.SetStatus("Seccomp", "2");
  EXPECT_EQ(Fifo(tree, EPERM, 10).cause,
            refusal.cause + "; a seccomp filter is in force too and may refuse next");
}

TEST(RefusedFifo, LooksAtItsOwnCapability) {
  Tree tree("vm");
  tree.SetStatus("CapEff", kWithoutNice);
  EXPECT_NE(Fifo(tree, EPERM).cause.find("CAP_SYS_NICE is missing"), std::string::npos);
  tree.SetStatus("CapEff", kWithoutLock);
  EXPECT_EQ(Fifo(tree, EPERM).cause.find("CAP_SYS_NICE is missing"), std::string::npos);
  tree.SetStatus("CapEff", "rubbish");
  EXPECT_NE(Fifo(tree, EPERM).cause.find("cannot be read"), std::string::npos);
}

TEST(RefusedFifo, InAContainer) {
  Tree tree("vm");
  tree.SetStatus("CapEff", kNoRights).SetStatus("CapBnd", kWithoutNice);
  EXPECT_NE(Fifo(tree, EPERM).cause.find("barred for this process tree"), std::string::npos);
  EXPECT_EQ(Fifo(tree, EPERM).remedy,
            "start the container with `--cap-add=SYS_NICE` and not rootless, or use "
            "`sudo prlimit --pid PID --rtprio=50` on its shell from the host");
  tree.SetStatus("CapBnd", kAllRights).SetStatus("NoNewPrivs", "1");
  EXPECT_EQ(Fifo(tree, EPERM).remedy.rfind("start it without no_new_privs", 0), 0u);
}

TEST(RefusedFifo, WithACapabilityOfAUserNamespace) {
  Tree tree("vm");
  tree.Write("proc/self/uid_map", "         0       1000          1\n");
  EXPECT_NE(Fifo(tree, EPERM).cause.find("CAP_SYS_NICE is held in a user namespace only"),
            std::string::npos);
  EXPECT_NE(Fifo(tree, EPERM).remedy.find("--cap-add=SYS_NICE"), std::string::npos);
  tree.Remove("proc/self/uid_map");  // a kernel without user namespaces
  EXPECT_EQ(Fifo(tree, EPERM).cause.find("namespace"), std::string::npos);
}

TEST(RefusedFifo, ToRootByTheBudgetOfTheGroup) {
  Tree tree("vm");
  tree.Write("proc/self/cgroup", "1:cpu:/box\n0::/\n")
      .Write("sys/fs/cgroup/cpu/box/cpu.rt_runtime_us", "0\n");
  const std::string group = tree.top() + "/sys/fs/cgroup/cpu";
  EXPECT_EQ(Fifo(tree, EPERM).cause,
            "SCHED_FIFO priority 50 was refused (Operation not permitted): the real-time budget of "
            "its cgroup is 0 (" +
                group + "/box/cpu.rt_runtime_us), which refuses root too");
  EXPECT_EQ(Fifo(tree, EPERM).remedy,
            "`echo 950000 | sudo tee " + group +
                "/box/cpu.rt_runtime_us` (its parents need as much), or `echo $$ | sudo tee " +
                group + "/cgroup.procs`");
  // A limit gives the right as a capability does: then, too, it is the budget.
  tree.SetStatus("CapEff", kNoRights);
  EXPECT_NE(Fifo(tree, EPERM, 50).cause.find("budget"), std::string::npos);
  EXPECT_NE(Fifo(tree, EPERM, RLIM_INFINITY).cause.find("budget"), std::string::npos);
  EXPECT_EQ(Fifo(tree, EPERM, 49).cause.find("budget"), std::string::npos);
}

TEST(RefusedFifo, ByAFilter) {
  Tree tree("vm");
  tree.SetStatus("Seccomp", "2");
  const std::string filter = "a seccomp filter is in force and decides before the kernel does";
  EXPECT_EQ(Fifo(tree, EPERM).cause,
            "SCHED_FIFO priority 50 was refused (Operation not permitted): " + filter);
  EXPECT_EQ(Fifo(tree, ENOSYS).cause,
            "SCHED_FIFO priority 50 was refused (Function not implemented): " + filter);
  EXPECT_EQ(Fifo(tree, 0).cause,
            "SCHED_FIFO priority 50 was reported as granted but is not in effect: " + filter);
  EXPECT_NE(Fifo(tree, 0).remedy.find("--security-opt seccomp=unconfined"), std::string::npos);
  tree.SetStatus("Seccomp", "0");
  EXPECT_NE(Fifo(tree, 0).cause.find("a sandbox answered in the kernel's place"),
            std::string::npos);
}

TEST(RefusedFifo, ForOtherReasons) {
  Tree vm("vm");
  EXPECT_NE(Fifo(vm, EINVAL).cause.find("priorities are 1 to 99"), std::string::npos);
  EXPECT_NE(Fifo(vm, EPERM).cause.find("a security module"), std::string::npos);
  Tree metal("metal");
  metal.SetStatus("CapEff", kAllRights);
  EXPECT_NE(Fifo(metal, EPERM).cause.find("CONFIG_RT_GROUP_SCHED"), std::string::npos);
  EXPECT_NE(Fifo(metal, EPERM).remedy.find(metal.top() + "/sys/fs/cgroup/cgroup.procs"),
            std::string::npos);
}

TEST(RefusedPinning, OutsideOfTheCpuset) {
  Tree tree("vm");
  tree.Write("proc/self/cgroup", "3:cpuset:/box\n0::/\n")
      .Write("sys/fs/cgroup/cpuset/box/cpuset.effective_cpus", "1\n");
  const std::string file = tree.top() + "/sys/fs/cgroup/cpuset/box/cpuset.cpus";
  EXPECT_EQ(Pin(tree, EINVAL, 0).cause,
            "pinning to CPU 0 was refused (Invalid argument): the cpuset of its cgroup holds the "
            "CPUs 1 only (" +
                file + ")");
  EXPECT_EQ(Pin(tree, EINVAL, 0).remedy,
            "choose one of them with `--cpu`, or `echo 0-1 | sudo tee " + file + "`");
  Tree unified("metal");
  unified.Write("sys/fs/cgroup/user.slice/cpuset.cpus.effective", "0-3\n");
  EXPECT_NE(Pin(unified, EINVAL, 7).cause.find("holds the CPUs 0-3 only"), std::string::npos);
}

TEST(RefusedPinning, ToACpuThatIsNotThere) {
  Tree tree("vm");
  EXPECT_EQ(Pin(tree, EINVAL, 7).cause,
            "pinning to CPU 7 was refused (Invalid argument): this machine has the CPUs 0-1 only");
  tree.Write("sys/devices/system/cpu/online", "0\n");
  EXPECT_EQ(Pin(tree, EINVAL, 1).cause,
            "pinning to CPU 1 was refused (Invalid argument): CPU 1 is offline (online: 0)");
  EXPECT_EQ(Pin(tree, EINVAL, 1).remedy,
            "`echo 1 | sudo tee " + tree.top() +
                "/sys/devices/system/cpu/cpu1/online`, or choose another with `--cpu`");
}

TEST(RefusedPinning, ForOtherReasons) {
  Tree tree("vm");
  EXPECT_NE(Pin(tree, EPERM, 1).cause.find("a security module"), std::string::npos);
  EXPECT_NE(Pin(tree, 0, 1).cause.find("a sandbox answered"), std::string::npos);
  tree.SetStatus("Seccomp", "2");
  EXPECT_NE(Pin(tree, EPERM, 1).cause.find("a seccomp filter"), std::string::npos);
  EXPECT_NE(Pin(Tree("broken"), EINVAL, 1).cause.find("pinning to CPU 1"), std::string::npos);
  EXPECT_NE(Pin(Tree("empty"), EINVAL, 1).cause.find("pinning to CPU 1"), std::string::npos);
}

TEST(RefusedLock, ByTheLimit) {
  Tree tree("vm");
  tree.SetStatus("CapEff", kWithoutLock);
  EXPECT_EQ(Lock(tree, ENOMEM, 65536).cause,
            "locking memory was refused (Cannot allocate memory): CAP_IPC_LOCK is missing and "
            "RLIMIT_MEMLOCK is 64 KiB");
  EXPECT_NE(Lock(tree, EPERM, 0).remedy.find("--memlock=unlimited"), std::string::npos);
}

TEST(RefusedLock, ForOtherReasons) {
  Tree tree("vm");
  EXPECT_NE(Lock(tree, ENOMEM, 65536).cause.find("not enough memory"), std::string::npos);
  EXPECT_NE(Lock(tree, EAGAIN, 65536).cause.find("not enough memory"), std::string::npos);
  EXPECT_NE(Lock(tree, EPERM, RLIM_INFINITY).cause.find("a security module"), std::string::npos);
  tree.SetStatus("Seccomp", "2");
  EXPECT_NE(Lock(tree, EPERM, RLIM_INFINITY).cause.find("a seccomp filter"), std::string::npos);
  EXPECT_NE(Lock(tree, ENOSYS, 65536).cause.find("a seccomp filter"), std::string::npos);
}

}  // namespace
}  // namespace ctxgate
