// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/task/affinity.h"

#include <cerrno>
#include <string>

namespace ctxgate {

std::vector<int> AllowedCpus() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof(mask), &mask) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &mask)) cpus.push_back(cpu);
  }
  return cpus;
}

bool RunsOnlyOn(int cpu) {
  const std::vector<int> allowed = AllowedCpus();
  return allowed.size() == 1 && allowed.front() == cpu && sched_getcpu() == cpu;
}

PinnedToCpu::PinnedToCpu() {
  CPU_ZERO(&former_);
  sched_getaffinity(0, sizeof(former_), &former_);
}

PinnedToCpu::~PinnedToCpu() {
  if (CPU_COUNT(&former_) > 0) sched_setaffinity(0, sizeof(former_), &former_);
}

MaybeFailure PinnedToCpu::Pin(int cpu) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (cpu < 0 || cpu >= CPU_SETSIZE) {
    return Failure{Failure::Kind::kUsage, "CPU " + std::to_string(cpu) + " does not exist"};
  }
  CPU_SET(static_cast<unsigned>(cpu), &mask);
  const std::string what = "pinning to CPU " + std::to_string(cpu);
  if (sched_setaffinity(0, sizeof(mask), &mask) != 0) {
    return Refused(RefusedCall::kAffinity, what, errno);
  }
  if (!RunsOnlyOn(cpu)) return WithoutEffect(RefusedCall::kAffinity, what);
  return {};
}

}  // namespace ctxgate
