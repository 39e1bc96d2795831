// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/paths/pipe.h"

#include <unistd.h>

#include <cerrno>

#include "ctxgate/bench/paths/extra_work.h"
#include "ctxgate/bench/task/file_descriptor.h"

namespace ctxgate {
namespace {

// One byte; end of file sets errno to EPIPE.
bool ReadByte(int fd, unsigned char* byte) {
  const ssize_t got = read(fd, byte, 1);
  if (got == 0) errno = EPIPE;
  return got == 1;
}

// Strict order: the leader writes, then reads; the partner reads, then writes. (perf bench sched
// pipe let both write first in 2025, which halved its switches and its time.) The byte is a running
// number, so a lost or doubled hand-over is seen.
class Pipe final : public SwitchPath {
 public:
  MaybeFailure Open() override {
    if (!there_.Open() || !back_.Open() || !self_.Open()) return Error(WithErrno("pipe", errno));
    return {};
  }

  void CloseLeaderEnds() override {
    there_.write_end.Close();
    back_.read_end.Close();
  }

  void ClosePartnerEnds() override {
    there_.read_end.Close();
    back_.write_end.Close();
  }

  bool Lead(std::span<int64_t> stamps) override {
    const int to = there_.write_end.get();
    const int from = back_.read_end.get();
    unsigned char token = 0;
    return StampEach(stamps, [&] {
      unsigned char echo = 0;
      ++token;
      RunExtraWork();
      if (write(to, &token, 1) != 1 || !ReadByte(from, &echo)) return false;
      if (echo == token) return true;
      errno = EPROTO;
      return false;
    });
  }

  bool Follow(int round_trips) override {
    const int from = there_.read_end.get();
    const int to = back_.write_end.get();
    for (int i = 0; i < round_trips; ++i) {
      unsigned char token = 0;
      if (!ReadByte(from, &token) || write(to, &token, 1) != 1) return false;
    }
    return true;
  }

  bool RunTwin(std::span<int64_t> stamps, int block) override {
    const int to = self_.write_end.get();
    const int from = self_.read_end.get();
    return StampEach(stamps, [&] {
      unsigned char token = 0;
      for (int i = 0; i < block; ++i) {
        if (write(to, &token, 1) != 1 || !ReadByte(from, &token)) return false;
      }
      return true;
    });
  }

 private:
  PipeEnds there_;
  PipeEnds back_;
  PipeEnds self_;
};

}  // namespace

PathDefinition PipePath() {
  return {
      .name = "pipe",
      .version = 1,
      .hands_over = "a one-byte write to a pipe on which the other task sleeps in read",
      .source = "pipe(7); fs/pipe.c: pipe_write wakes the reader with a synchronous wake-up",
      .fifo = {2, 2},
      // Linux 6.1 with PREEMPT_RT takes four under OTHER, because the sleeping lock of the pipe is
      // still held when the woken reader preempts.
      .other = {2, 4},
      .make = [] { return std::unique_ptr<SwitchPath>(std::make_unique<Pipe>()); },
  };
}

}  // namespace ctxgate
