// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/refusal.h"

#include <linux/capability.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "ctxgate/bench/facts/cgroup.h"
#include "ctxgate/bench/facts/cpu_list.h"
#include "ctxgate/bench/facts/source.h"

namespace ctxgate {
namespace {

struct Right {
  const char* name;     // as capabilities(7) writes it
  const char* setting;  // for setcap and for docker
  const char* docker;
  int number;
};
constexpr Right kNice{"CAP_SYS_NICE", "cap_sys_nice", "SYS_NICE", CAP_SYS_NICE};
constexpr Right kLock{"CAP_IPC_LOCK", "cap_ipc_lock", "IPC_LOCK", CAP_IPC_LOCK};

// Rights of a user namespace other than the first hold inside it only, and the scheduler asks the
// first. Its map is the identity over all 2^32 - 1 users.
bool InFirstUserNamespace(const Roots& roots) {
  const Source map = ReadSource(roots.proc + "/self/uid_map");
  if (!map.read()) return true;
  const auto words = Words(map.text);
  return words.size() == 3 && words[0] == "0" && words[1] == "0" && words[2] == "4294967295";
}

// Whether the capability is in effect; false also where that cannot be told.
bool Has(const Roots& roots, const Right& right) {
  return HasCapability(roots, "CapEff", right.number).value_or(false) &&
         InFirstUserNamespace(roots);
}

std::string WhyNot(const Roots& roots, const Right& right) {
  const auto effective = HasCapability(roots, "CapEff", right.number);
  if (!effective) return std::string("whether ") + right.name + " is in effect cannot be read";
  if (*effective) return std::string(right.name) + " is held in a user namespace only";
  const bool bounded = !HasCapability(roots, "CapBnd", right.number).value_or(true);
  return std::string(right.name) + " is missing" +
         (bounded ? " (and barred for this process tree)" : "");
}

// Raising the limit from outside works also where the capability is barred or set-uid is off.
std::string HowToGet(const Roots& roots, const Right& right, const std::string& limit) {
  const std::string from_outside = "`sudo prlimit --pid PID --" + limit + "` on its shell";
  const bool barred = !HasCapability(roots, "CapBnd", right.number).value_or(true);
  if (barred || !InFirstUserNamespace(roots)) {
    return "start the container with `--cap-add=" + std::string(right.docker) +
           "` and not rootless, or use " + from_outside + " from the host";
  }
  if (StatusField(roots, "NoNewPrivs").value_or("0") != "0") {
    return "start it without no_new_privs, or use " + from_outside + " from another one";
  }
  return "`sudo prlimit --pid $$ --" + limit + "` in this shell, then again; or `sudo setcap " +
         right.setting + "+ep` on the program; or run it as root";
}

// gVisor and its like answer system calls themselves and need no filter for it.
Refusal ByFilter(const Roots& roots, const std::string& what) {
  if (!HasSeccomp(roots)) {
    return {what + ": a sandbox answered in the kernel's place", "run it outside the sandbox"};
  }
  return {what + ": a seccomp filter is in force and decides before the kernel does",
          "run it outside the sandbox, or start the container with "
          "`--security-opt seccomp=unconfined`"};
}

Refusal Unexplained(const std::string& what) {
  return {what +
              ": neither capability, limit, seccomp filter nor cgroup explains it; a security "
              "module (SELinux, AppArmor) may",
          "see `sudo dmesg | tail` and the audit log for the denial"};
}

std::string Reason(const std::string& what, int error) {
  if (error == 0) return what + " was reported as granted but is not in effect";
  return what + " was refused (" + std::strerror(error) + ")";
}

Refusal ByRtBudget(const Roots& roots, const std::string& what) {
  const Cgroup group = OwnCgroup(roots, "cpu");
  const std::string file = group.directory + "/cpu.rt_runtime_us";
  const std::string to_root = "echo $$ | sudo tee " + group.mount + "/cgroup.procs";
  return {what + ": the real-time budget of its cgroup is 0 (" + file + "), which refuses root too",
          "`echo 950000 | sudo tee " + file + "` (its parents need as much), or `" + to_root + "`"};
}

// The order is the kernel's: a filter first, then rights (either capability or limit is enough),
// then the budget of the group.
Refusal SchedulerClass(const Roots& roots, int error, int priority, const Limits& limits) {
  const std::string what = Reason("SCHED_FIFO priority " + std::to_string(priority), error);
  if (error == 0 || error == ENOSYS) return ByFilter(roots, what);
  if (error == EINVAL) return {what + ": priorities are 1 to 99", "ask for a priority in 1..99"};
  const bool limit_suffices =
      limits.rtprio == RLIM_INFINITY || limits.rtprio >= static_cast<rlim_t>(priority);
  if (!Has(roots, kNice) && !limit_suffices) {
    Refusal refusal{what + ": " + WhyNot(roots, kNice) + " and RLIMIT_RTPRIO is " +
                        std::to_string(limits.rtprio),
                    HowToGet(roots, kNice, "rtprio=" + std::to_string(priority))};
    if (HasSeccomp(roots))
      refusal.cause += "; a seccomp filter is in force too and may refuse next";
    return refusal;
  }
  if (OwnRtBudget(roots).text == "0") return ByRtBudget(roots, what);
  if (HasSeccomp(roots)) return ByFilter(roots, what);
  const Cgroup group = OwnCgroup(roots, "cpu");
  if (group.version == 2 && group.directory != group.mount) {
    return {what + ": with CONFIG_RT_GROUP_SCHED a group of cgroup v2 has no real-time budget",
            "`echo $$ | sudo tee " + group.mount +
                "/cgroup.procs`, or boot with `rt_group_sched=0` (kernels that know it)"};
  }
  return Unexplained(what);
}

std::optional<std::vector<int>> CpusOfCpuset(const Roots& roots, std::string* file) {
  const Cgroup group = OwnCgroup(roots, "cpuset");
  for (const std::string& level : LevelsUp(group)) {
    for (const char* name : {"/cpuset.cpus.effective", "/cpuset.effective_cpus", "/cpuset.cpus"}) {
      const Source source = ReadSource(level + name);
      if (!source.read() || source.text.empty()) continue;
      *file = level + "/cpuset.cpus";
      return ParseCpuList(source.text);
    }
  }
  return std::nullopt;
}

Refusal Affinity(const Roots& roots, int error, int cpu) {
  const std::string number = std::to_string(cpu);
  const std::string what = Reason("pinning to CPU " + number, error);
  const std::string cpus = roots.sys + "/devices/system/cpu/";
  const Source online = ReadSource(cpus + "online");
  const auto present = ParseCpuList(ReadSource(cpus + "present").text);
  if (present && !present->empty() && !Holds(*present, cpu)) {
    return {what + ": this machine has the CPUs " + FormatCpuList(*present) + " only",
            "choose one of them with `--cpu`"};
  }
  const auto running = ParseCpuList(online.text);
  if (running && !running->empty() && !Holds(*running, cpu)) {
    return {
        what + ": CPU " + number + " is offline (online: " + online.text + ")",
        "`echo 1 | sudo tee " + cpus + "cpu" + number + "/online`, or choose another with `--cpu`"};
  }
  std::string file;
  const auto allowed = CpusOfCpuset(roots, &file);
  if (allowed && !Holds(*allowed, cpu)) {
    std::vector<int> wider = *allowed;
    wider.push_back(cpu);
    return {what + ": the cpuset of its cgroup holds the CPUs " + FormatCpuList(*allowed) +
                " only (" + file + ")",
            "choose one of them with `--cpu`, or `echo " + FormatCpuList(wider) + " | sudo tee " +
                file + "`"};
  }
  if (HasSeccomp(roots) || error == 0) return ByFilter(roots, what);
  return Unexplained(what);
}

Refusal MemoryLock(const Roots& roots, int error, const Limits& limits) {
  const std::string what = Reason("locking memory", error);
  if (error == 0 || error == ENOSYS) return ByFilter(roots, what);
  if (!Has(roots, kLock) && limits.memlock != RLIM_INFINITY) {
    return {what + ": " + WhyNot(roots, kLock) + " and RLIMIT_MEMLOCK is " +
                std::to_string(limits.memlock / 1024) + " KiB",
            HowToGet(roots, kLock, "memlock=unlimited")};
  }
  if (error == ENOMEM || error == EAGAIN) {
    return {what + ": there is not enough memory to lock",
            "free memory, or raise the cgroup's limit"};
  }
  if (HasSeccomp(roots)) return ByFilter(roots, what);
  return Unexplained(what);
}

}  // namespace

Refusal DiagnoseRefusal(const Roots& roots, RefusedCall call, int error_number, int cpu,
                        int priority, const Limits& limits) {
  switch (call) {
    case RefusedCall::kSchedulerClass:
      return SchedulerClass(roots, error_number, priority, limits);
    case RefusedCall::kAffinity:
      return Affinity(roots, error_number, cpu);
    case RefusedCall::kMemoryLock:
      return MemoryLock(roots, error_number, limits);
  }
  return {};
}

std::string ExplainRefusal(const Roots& roots, RefusedCall call, int error_number, int cpu,
                           int priority, const Limits& limits) {
  const Refusal refusal = DiagnoseRefusal(roots, call, error_number, cpu, priority, limits);
  return refusal.cause + ". Remedy: " + refusal.remedy + ".";
}

}  // namespace ctxgate
