// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/paths/extra_work.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

namespace ctxgate {

void RunExtraWork() {
  static const int calls = [] {
    const char* text = std::getenv("CTXGATE_TEST_EXTRA_SYSCALLS");
    return text == nullptr ? 0 : std::atoi(text);
  }();
  for (int i = 0; i < calls; ++i) syscall(SYS_getppid);
}

}  // namespace ctxgate
