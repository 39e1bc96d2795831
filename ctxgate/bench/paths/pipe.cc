// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/paths/pipe.h"

#include <cerrno>

#include "ctxgate/bench/paths/byte_exchange.h"
#include "ctxgate/bench/paths/extra_work.h"
#include "ctxgate/bench/task/file_descriptor.h"

namespace ctxgate {
namespace {

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

  bool Lead(std::span<int64_t> stamps, int block) override {
    return LeadBytes(stamps, block, there_.write_end.get(), back_.read_end.get(),
                     [] { RunExtraWork(); });
  }

  bool Follow(int round_trips) override {
    return FollowBytes(round_trips, there_.read_end.get(), back_.write_end.get());
  }

  bool RunTwin(std::span<int64_t> stamps, int block) override {
    return SendBytesToSelf(stamps, block, self_.write_end.get(), self_.read_end.get());
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
      .principal = true,
      .fifo = {2, 2, Mix::kVoluntary},
      // Linux 6.1 with PREEMPT_RT takes four under OTHER, because the sleeping lock of the pipe is
      // still held when the woken reader preempts.
      .other = {2, 4},
      .make = [] { return std::unique_ptr<SwitchPath>(std::make_unique<Pipe>()); },
  };
}

}  // namespace ctxgate
