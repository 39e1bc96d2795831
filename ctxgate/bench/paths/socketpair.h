// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_PATHS_SOCKETPAIR_H_
#define CTXGATE_BENCH_PATHS_SOCKETPAIR_H_

#include "ctxgate/bench/paths/switch_path.h"

namespace ctxgate {

PathDefinition SocketpairPath();

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_PATHS_SOCKETPAIR_H_
