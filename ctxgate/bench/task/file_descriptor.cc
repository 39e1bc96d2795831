// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/task/file_descriptor.h"

#include <fcntl.h>

namespace ctxgate {

bool PipeEnds::Open() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  read_end = FileDescriptor(ends[0]);
  write_end = FileDescriptor(ends[1]);
  return true;
}

}  // namespace ctxgate
