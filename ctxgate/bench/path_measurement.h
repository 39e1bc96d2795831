// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_PATH_MEASUREMENT_H_
#define CTXGATE_BENCH_PATH_MEASUREMENT_H_

#include "ctxgate/bench/failure.h"
#include "ctxgate/bench/leader.h"
#include "ctxgate/bench/measurement.h"
#include "ctxgate/bench/paths/switch_path.h"

namespace ctxgate {

// A path with its twins, measured interleaved: a batch of each in turn, so that what disturbs one
// disturbs all.
struct PathResult {
  Measurement path;
  Measurement twin;  // the path's own system calls without a hand-over
  // getppid: entry and exit of the kernel alone; measured beside the principal path only, since it
  // is the same beside every other.
  Measurement null_syscall;
};

// Measures on the calling thread, whose affinity, class and limits are restored afterwards. At most
// `busy_share` of the time is spent running.
MaybeFailure MeasurePath(const PathDefinition& definition, const Place& place, const Plan& plan,
                         double busy_share, PathResult* result);

// Counts a few more batches by the kernel's perf event too and adds what it says to the evidence:
// its count against getrusage's and, with `alone`, what else was switched to on that CPU. Nothing
// is added where the events cannot be opened.
MaybeFailure AuditPath(const PathDefinition& definition, const Place& place, const Plan& plan,
                       bool alone, Evidence* evidence);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_PATH_MEASUREMENT_H_
