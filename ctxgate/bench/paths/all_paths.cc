// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/paths/pipe.h"
#include "ctxgate/bench/paths/switch_path.h"

namespace ctxgate {

const std::vector<PathDefinition>& AllPaths() {
  static const std::vector<PathDefinition> paths = {PipePath()};
  return paths;
}

}  // namespace ctxgate
