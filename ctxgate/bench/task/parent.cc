// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/task/parent.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace ctxgate {

bool DieWithParent(const std::string& parent) {
  if (parent.empty()) return true;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return parent == std::to_string(getppid());
}

}  // namespace ctxgate
