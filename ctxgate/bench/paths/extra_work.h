// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_PATHS_EXTRA_WORK_H_
#define CTXGATE_BENCH_PATHS_EXTRA_WORK_H_

namespace ctxgate {

// Nothing in the product. The test-only program ctxgate-bench-slowed is built with
// CTXGATE_TEST_SLOWED and makes that many null system calls a round trip, which proves that the
// gate turns red; its number comes from the environment.
#ifdef CTXGATE_TEST_SLOWED
void RunExtraWork();
#else
inline void RunExtraWork() {}
#endif

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_PATHS_EXTRA_WORK_H_
