// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_CPU_LIST_H_
#define CTXGATE_BENCH_FACTS_CPU_LIST_H_

#include <optional>
#include <string>
#include <vector>

#include "ctxgate/bench/facts/roots.h"

namespace ctxgate {

/// The CPUs of a kernel list such as "0-3,5" or "0-8:2/4", ascending and each once. An empty text
/// and "(null)" (nohz_full of older kernels) are the empty list. Nothing if it is no list.
std::optional<std::vector<int>> ParseCpuList(const std::string& text);

/// The list as the kernel writes it: {0, 1, 2, 5} is "0-2,5".
std::string FormatCpuList(std::vector<int> cpus);

/// Whether `cpus` holds `cpu`.
bool Holds(const std::vector<int>& cpus, int cpu);

/// The CPUs that the scheduler's load balancing leaves alone: those of `isolcpus=` at boot
/// (/sys/devices/system/cpu/isolated) and those of isolated partitions of cgroup v2. Nothing if the
/// first of them exists but cannot be read.
std::optional<std::vector<int>> FindIsolatedCpus(const Roots& roots);

/// As `FindIsolatedCpus`; empty if that cannot be told.
std::vector<int> IsolatedCpus(const Roots& roots);

/// The CPU to measure on: the highest-numbered allowed one that is isolated, else the highest
/// allowed (CPU 0 takes most interrupts). -1 if none is allowed.
int ChooseCpu(const std::vector<int>& allowed, const std::vector<int>& isolated);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_CPU_LIST_H_
