// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_CPU_H_
#define CTXGATE_BENCH_FACTS_CPU_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ctxgate/bench/facts/fact_map.h"
#include "ctxgate/bench/facts/roots.h"

namespace ctxgate {

/// Adds what the processor is: vendor, family, model, name, stepping and microcode of the measured
/// CPU, its caches and SMT siblings, the CPUs online and the packages they sit in.
void AddCpuFacts(const Roots& roots, int cpu, Facts& facts);

/// The measured CPU's lines of /proc/cpuinfo by key; those of the first CPU if it is not listed
/// (some containers renumber the file). Nothing if the file is there but unreadable.
std::optional<std::map<std::string, std::string>> CpuInfo(const Roots& roots, int cpu);

/// The CPUs of the measured CPU's core, itself included (thread_siblings_list); nothing if the
/// kernel does not say.
std::optional<std::vector<int>> CoreCpus(const Roots& roots, int cpu);

/// The directory of one CPU: <sys>/devices/system/cpu/cpu<N>.
std::string CpuDirectory(const Roots& roots, int cpu);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_CPU_H_
