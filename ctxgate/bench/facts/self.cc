// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/self.h"

#include <sched.h>
#include <sys/personality.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <ctime>

#include "ctxgate/bench/facts/source.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

#include <cstring>
#endif

namespace ctxgate {
namespace {

// The mask must be as large as the kernel's (EINVAL otherwise), whose size is not told.
std::vector<int> AllowedCpus() {
  for (int count = 1024; count <= (1 << 16); count *= 2) {
    cpu_set_t* mask = CPU_ALLOC(count);
    if (mask == nullptr) return {};
    const std::size_t size = CPU_ALLOC_SIZE(count);
    CPU_ZERO_S(size, mask);
    const int result = sched_getaffinity(0, size, mask);
    const int error = errno;
    std::vector<int> cpus;
    for (int cpu = 0; result == 0 && cpu < count; ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), size, mask)) cpus.push_back(cpu);
    }
    CPU_FREE(mask);
    if (result == 0 || error != EINVAL) return cpus;
  }
  return {};
}

// The hypervisor's name does not depend on the kernel under test, as its drivers' traces do.
std::string HypervisorSignature() {
#if defined(__x86_64__) || defined(__i386__)
  constexpr unsigned kHypervisorPresent = 1u << 31;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kHypervisorPresent) == 0) return {};
  __cpuid(0x40000000, a, b, c, d);
  std::array<char, 12> name{};
  std::memcpy(name.data(), &b, 4);
  std::memcpy(name.data() + 4, &c, 4);
  std::memcpy(name.data() + 8, &d, 4);
  const std::string signature = Trim(std::string_view(name.data(), name.size()));
  return signature.empty() ? "unnamed" : signature;
#else
  return {};
#endif
}

// The coarse clocks advance with the tick, and their resolution is its length: HZ for everybody.
std::int64_t TickNs() {
  timespec resolution{};
  if (clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) != 0 || resolution.tv_sec != 0) return 0;
  return resolution.tv_nsec;
}

bool AddressRandomised() {
  constexpr unsigned kAskOnly = 0xffffffff;
  const int persona = personality(kAskOnly);
  return persona == -1 || (static_cast<unsigned>(persona) & ADDR_NO_RANDOMIZE) == 0;
}

}  // namespace

Limits ReadLimits() {
  rlimit rtprio{};
  rlimit memlock{};
  getrlimit(RLIMIT_RTPRIO, &rtprio);
  getrlimit(RLIMIT_MEMLOCK, &memlock);
  return {rtprio.rlim_cur, memlock.rlim_cur};
}

Self ReadSelf() {
  return {ReadLimits(), AllowedCpus(), HypervisorSignature(), AddressRandomised(), TickNs()};
}

std::optional<std::string> StatusField(const Roots& roots, const std::string& name) {
  for (const std::string& line : Lines(ReadSource(roots.proc + "/self/status").text)) {
    if (line.starts_with(name + ":")) return Trim(line.substr(name.size() + 1));
  }
  return std::nullopt;
}

std::optional<bool> HasCapability(const Roots& roots, const std::string& set, int number) {
  const auto field = StatusField(roots, set);
  if (!field) return std::nullopt;
  std::uint64_t bits = 0;
  const char* end = field->data() + field->size();
  const auto [stop, error] = std::from_chars(field->data(), end, bits, 16);
  if (error != std::errc() || stop != end) return std::nullopt;
  return ((bits >> number) & 1) != 0;
}

bool HasSeccomp(const Roots& roots) {
  const std::string mode = StatusField(roots, "Seccomp").value_or("0");
  return mode != "0";
}

}  // namespace ctxgate
