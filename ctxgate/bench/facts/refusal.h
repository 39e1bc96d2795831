// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_REFUSAL_H_
#define CTXGATE_BENCH_FACTS_REFUSAL_H_

#include <string>

#include "ctxgate/bench/facts/roots.h"
#include "ctxgate/bench/facts/self.h"
#include "ctxgate/bench/failure.h"

namespace ctxgate {

/// Who refused it, as far as can be told, and what to do about it (a command where there is one).
struct Refusal {
  std::string cause;
  std::string remedy;
};

/// Finds out which mechanism refused: capability, resource limit, seccomp filter, real-time budget
/// of the cgroup, cpuset, an offline CPU. `error_number` is the call's errno, 0 if it reported
/// success without effect. `cpu` matters for kAffinity, `priority` for kSchedulerClass.
Refusal DiagnoseRefusal(const Roots& roots, RefusedCall call, int error_number, int cpu,
                        int priority, const Limits& limits = ReadLimits());

/// The same as one text: cause, then "Remedy: ...".
std::string ExplainRefusal(const Roots& roots, RefusedCall call, int error_number, int cpu,
                           int priority, const Limits& limits = ReadLimits());

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_REFUSAL_H_
