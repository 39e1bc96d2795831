// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/paths/eventfd.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>

#include "ctxgate/bench/task/file_descriptor.h"

namespace ctxgate {
namespace {

bool Send(const FileDescriptor& event, uint64_t value) {
  return write(event.get(), &value, sizeof(value)) == sizeof(value);
}

// Takes the value and leaves 0, on which a read sleeps.
bool Receive(const FileDescriptor& event, uint64_t* value) {
  return read(event.get(), value, sizeof(*value)) == sizeof(*value);
}

// Strict order, as for the pipe. The value is a running number: two hand-overs in one would show as
// their sum. An eventfd has no ends, so that nothing tells of a partner that died.
class Eventfd final : public SwitchPath {
 public:
  MaybeFailure Open() override {
    for (FileDescriptor* event : {&there_, &back_, &self_}) {
      *event = FileDescriptor(eventfd(0, EFD_CLOEXEC));
      if (!event->is_open()) return Error(WithErrno("eventfd", errno));
    }
    return {};
  }

  bool Lead(std::span<int64_t> stamps, int block) override {
    uint64_t token = 0;
    return StampBlocks(stamps, block, [&] {
      uint64_t echo = 0;
      if (!Send(there_, ++token) || !Receive(back_, &echo)) return false;
      if (echo == token) return true;
      errno = EPROTO;
      return false;
    });
  }

  bool Follow(int round_trips) override {
    for (int i = 0; i < round_trips; ++i) {
      uint64_t token = 0;
      if (!Receive(there_, &token) || !Send(back_, token)) return false;
    }
    return true;
  }

  bool RunTwin(std::span<int64_t> stamps, int block) override {
    return StampBlocks(stamps, block, [&] {
      uint64_t token = 0;
      return Send(self_, 1) && Receive(self_, &token);
    });
  }

 private:
  FileDescriptor there_;
  FileDescriptor back_;
  FileDescriptor self_;
};

}  // namespace

PathDefinition EventfdPath() {
  return {
      .name = "eventfd",
      .version = 1,
      .hands_over = "a write to an eventfd on which the other task sleeps in read",
      .source = "eventfd(2); fs/eventfd.c: the smallest wake-up through a file",
      .fifo = {2, 2, Mix::kVoluntary},
      // Four on Linux 6.1 with PREEMPT_RT, as for the pipe.
      .other = {2, 4},
      .make = [] { return std::unique_ptr<SwitchPath>(std::make_unique<Eventfd>()); },
  };
}

}  // namespace ctxgate
