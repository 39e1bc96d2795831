// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/paths/eventfd.h"
#include "ctxgate/bench/paths/futex.h"
#include "ctxgate/bench/paths/pipe.h"
#include "ctxgate/bench/paths/socketpair.h"
#include "ctxgate/bench/paths/switch_path.h"
#include "ctxgate/bench/paths/yield.h"

namespace ctxgate {

const std::vector<PathDefinition>& AllPaths() {
  static const std::vector<PathDefinition> paths = {PipePath(), SocketpairPath(), EventfdPath(),
                                                    FutexPath(), YieldPath()};
  return paths;
}

}  // namespace ctxgate
