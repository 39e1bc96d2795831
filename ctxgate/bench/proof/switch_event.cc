// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/proof/switch_event.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ctxgate {
namespace {

FileDescriptor Open(pid_t pid, int cpu) {
  perf_event_attr attributes{};
  attributes.size = sizeof(attributes);
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
  const long fd = syscall(SYS_perf_event_open, &attributes, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
  return FileDescriptor(static_cast<int>(fd));
}

}  // namespace

bool SwitchEvent::OpenForThisTask() {
  event_ = Open(0, -1);
  return event_.is_open();
}

bool SwitchEvent::OpenForCpu(int cpu) {
  event_ = Open(-1, cpu);
  return event_.is_open();
}

std::optional<int64_t> SwitchEvent::Read() const {
  int64_t count = 0;
  if (!event_.is_open() || read(event_.get(), &count, sizeof(count)) != sizeof(count)) return {};
  return count;
}

}  // namespace ctxgate
