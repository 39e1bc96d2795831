// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_PLATFORM_H_
#define CTXGATE_BENCH_FACTS_PLATFORM_H_

#include <cstdint>
#include <string>

#include "ctxgate/bench/facts/fact_map.h"
#include "ctxgate/bench/facts/roots.h"
#include "ctxgate/bench/facts/self.h"

namespace ctxgate {

/// Adds what the processor sits in: hypervisor, machine and firmware as their makers name them,
/// memory size, clocksource. Serial numbers are not read.
void AddPlatformFacts(const Roots& roots, const Self& self, Facts& facts);

/// The hypervisor's name; "none" on bare metal.
std::string Hypervisor(const Roots& roots, const Self& self);

/// The memory as it was bought, for instance "24 GiB", from MemTotal in KiB. MemTotal is less by
/// what firmware and kernel keep (1-12 %), which differs between kernels; it is rounded up to a
/// quarter of the power of two below it, so that one machine keeps one size.
std::string InstalledMemory(std::int64_t total_kib);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_PLATFORM_H_
