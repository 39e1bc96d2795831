// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_KERNEL_H_
#define CTXGATE_BENCH_FACTS_KERNEL_H_

#include <string>

#include "ctxgate/bench/facts/fact_map.h"
#include "ctxgate/bench/facts/roots.h"
#include "ctxgate/bench/facts/self.h"

namespace ctxgate {

/// Adds what is under test: the kernel's release, version and compiler, its command line,
/// mitigations, `kernel.sched_*`, preemption, tick rate, scheduler extensions, huge pages.
void AddKernelFacts(const Roots& roots, int cpu, const Self& self, Facts& facts);

/// The compiler in the text of /proc/version, whose first parenthesis names who built it where.
std::string KernelCompiler(const std::string& version);

/// The preemption model that a kernel's version string names: "PREEMPT_RT", "PREEMPT_DYNAMIC",
/// "PREEMPT", or "none or voluntary", which it does not tell apart.
std::string PreemptionBuilt(const std::string& version);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_KERNEL_H_
