// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/kernel.h"

#include "ctxgate/bench/facts/command_line.h"
#include "ctxgate/bench/facts/source.h"

namespace ctxgate {
namespace {

void AddMitigations(const Roots& roots, FactMap& subject) {
  const std::string directory = roots.sys + "/devices/system/cpu/vulnerabilities";
  for (const std::string& name : ListDirectory(directory).names) {
    subject["mitigation." + name] = ReadFact(directory + "/" + name);
  }
  // What a prctl or a filter adds for this process alone; absent off x86.
  for (const char* name : {"Speculation_Store_Bypass", "SpeculationIndirectBranch"}) {
    const auto state = StatusField(roots, name);
    if (state) subject["mitigation.process." + std::string(name)] = *state;
  }
}

// sched_domain is a directory; the real-time limits are identity and stand there.
void AddSysctls(const Roots& roots, FactMap& subject) {
  const std::string directory = roots.proc + "/sys/kernel";
  for (const std::string& name : ListDirectory(directory).names) {
    const bool is_limit = name == "sched_rt_runtime_us" || name == "sched_rt_period_us";
    const bool is_other = name == "numa_balancing" || name == "timer_migration" ||
                          name == "watchdog" || name == "nmi_watchdog";
    if (is_limit || name == "sched_domain" || !(name.starts_with("sched_") || is_other)) continue;
    subject["sysctl.kernel." + name] = ReadFact(directory + "/" + name);
  }
}

// Since 5.13 most knobs of the fair class are here, for root only. A user's session leaves them
// out, rather than to show each as unknown in every comparison.
void AddDebugKnobs(const Roots& roots, int cpu, FactMap& subject) {
  const std::string directory = roots.sys + "/kernel/debug/sched/";
  for (const char* name :
       {"base_slice_ns", "features", "latency_ns", "migration_cost_ns", "min_granularity_ns",
        "nr_migrate", "tunable_scaling", "wakeup_granularity_ns"}) {
    const Source knob = ReadSource(directory + name);
    if (knob.read()) subject["sched." + std::string(name)] = knob.text;
  }
  const Source fair = ReadSource(directory + "fair_server/cpu" + std::to_string(cpu) + "/runtime");
  if (fair.read()) subject["sched.fair_server_runtime_ns"] = fair.text;
}

// The model in force: a PREEMPT_DYNAMIC kernel tells it to root only, and the command line is no
// proof, since a kernel ignores a model that it was built without.
std::string PreemptionInForce(const Roots& roots, const std::string& built) {
  const Source dynamic = ReadSource(roots.sys + "/kernel/debug/sched/preempt");
  if (dynamic.read() && !dynamic.text.empty()) {
    const std::size_t open = dynamic.text.find('(');
    const std::size_t close = dynamic.text.find(')', open == std::string::npos ? 0 : open);
    if (open == std::string::npos || close == std::string::npos) return dynamic.text;
    return dynamic.text.substr(open + 1, close - open - 1);
  }
  if (built == "PREEMPT_RT" || built == "PREEMPT") return "full";
  return kUnknown;
}

std::string SchedulerExtension(const Roots& roots) {
  const std::string directory = roots.sys + "/kernel/sched_ext/";
  std::string state = ReadFact(directory + "state");
  if (state != "enabled") return state;
  return state + " " + ReadFact(directory + "root/ops");
}

std::string TickRate(const Self& self) {
  if (self.tick_ns <= 0) return kUnknown;
  return std::to_string((1000000000 + self.tick_ns / 2) / self.tick_ns);
}

std::string CommandLine(const Roots& roots) {
  const Source source = ReadSource(roots.proc + "/cmdline");
  if (!source.read()) return FactOf(source);
  const std::string text = PublicCommandLine(source.text);
  return text.empty() ? kNone : text;
}

}  // namespace

std::string KernelCompiler(const std::string& version) {
  const std::size_t builder = version.find('(');
  const std::size_t start = version.find('(', builder == std::string::npos ? builder : builder + 1);
  if (start == std::string::npos) return kUnknown;
  int depth = 0;
  for (std::size_t at = start; at < version.size(); ++at) {
    if (version[at] == '(') ++depth;
    if (version[at] == ')' && --depth == 0) return version.substr(start + 1, at - start - 1);
  }
  return kUnknown;
}

std::string PreemptionBuilt(const std::string& version) {
  for (const std::string& word : Words(version)) {
    if (word.starts_with("PREEMPT")) return word;
  }
  return version == kUnknown || version == kNone ? version : "none or voluntary";
}

void AddKernelFacts(const Roots& roots, int cpu, const Self& self, Facts& facts) {
  const std::string sysctl = roots.proc + "/sys/kernel/";
  FactMap& subject = facts.subject;
  subject["kernel_release"] = ReadFact(sysctl + "osrelease");
  subject["kernel_version"] = ReadFact(sysctl + "version");
  const Source version = ReadSource(roots.proc + "/version");
  subject["kernel_compiler"] = version.read() ? KernelCompiler(version.text) : FactOf(version);
  subject["cmdline"] = CommandLine(roots);
  subject["preemption"] = PreemptionBuilt(subject["kernel_version"]);
  subject["preemption_mode"] = PreemptionInForce(roots, subject["preemption"]);
  subject["hz"] = TickRate(self);
  subject["sched_ext"] = SchedulerExtension(roots);
  subject["security_modules"] = ReadFact(roots.sys + "/kernel/security/lsm");
  subject["transparent_hugepage"] =
      Chosen(ReadFact(roots.sys + "/kernel/mm/transparent_hugepage/enabled"));
  AddMitigations(roots, subject);
  AddSysctls(roots, subject);
  AddDebugKnobs(roots, cpu, subject);
}

}  // namespace ctxgate
