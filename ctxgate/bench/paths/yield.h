// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_PATHS_YIELD_H_
#define CTXGATE_BENCH_PATHS_YIELD_H_

#include "ctxgate/bench/paths/switch_path.h"

namespace ctxgate {

PathDefinition YieldPath();

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_PATHS_YIELD_H_
