// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_SELF_H_
#define CTXGATE_BENCH_FACTS_SELF_H_

#include <sys/resource.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ctxgate/bench/facts/roots.h"

namespace ctxgate {

/// The soft resource limits that decide about the real-time class and locked memory.
struct Limits {
  rlim_t rtprio = 0;   ///< The highest real-time priority (RLIMIT_RTPRIO).
  rlim_t memlock = 0;  ///< Bytes that may be locked (RLIMIT_MEMLOCK).
};

/// What only a system call or an instruction tells about this process and its machine.
struct Self {
  Limits limits;
  std::vector<int> allowed_cpus;
  std::string hypervisor_signature;  ///< CPUID leaf 0x40000000; empty on bare metal and off x86.
  bool address_randomised = true;    ///< False under `setarch -R`.
  std::int64_t tick_ns = 0;          ///< Nanoseconds between timer ticks; 0 if not told.
};

/// Asks the kernel and the CPU.
Self ReadSelf();

/// The soft limits of this process.
Limits ReadLimits();

/// A line of /proc/self/status, such as CapEff or TracerPid; nothing if it is not there or the
/// file cannot be read.
std::optional<std::string> StatusField(const Roots& roots, const std::string& name);

/// Whether a capability (by its number in linux/capability.h) is in a set of /proc/self/status such
/// as CapEff. Nothing if the set cannot be read.
std::optional<bool> HasCapability(const Roots& roots, const std::string& set, int number);

/// Whether a seccomp filter (or strict mode) stands between this process and the kernel.
bool HasSeccomp(const Roots& roots);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_SELF_H_
