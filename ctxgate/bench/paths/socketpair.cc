// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/paths/socketpair.h"

#include <sys/socket.h>

#include <cerrno>

#include "ctxgate/bench/paths/byte_exchange.h"
#include "ctxgate/bench/task/file_descriptor.h"

namespace ctxgate {
namespace {

// Two connected stream sockets.
struct ConnectedSockets {
  FileDescriptor write_end;
  FileDescriptor read_end;

  bool Open() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    write_end = FileDescriptor(ends[0]);
    read_end = FileDescriptor(ends[1]);
    return true;
  }
};

// A pair for each direction, as with pipes. On one pair used both ways the reader that frees the
// buffer tells the writer's socket of new room (unix_write_space), on which the writer sleeps in
// read by then: a wake-up for nothing. Measured with Linux 6.18 under OTHER, that made 2.4 to 2.7
// switches a round trip, and 9 to 17 us, from one run to the next.
class Socketpair final : public SwitchPath {
 public:
  MaybeFailure Open() override {
    if (!there_.Open() || !back_.Open() || !self_.Open()) {
      return Error(WithErrno("socketpair", errno));
    }
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
    return LeadBytes(stamps, block, there_.write_end.get(), back_.read_end.get(), [] {});
  }

  bool Follow(int round_trips) override {
    return FollowBytes(round_trips, there_.read_end.get(), back_.write_end.get());
  }

  bool RunTwin(std::span<int64_t> stamps, int block) override {
    return SendBytesToSelf(stamps, block, self_.write_end.get(), self_.read_end.get());
  }

 private:
  ConnectedSockets there_;
  ConnectedSockets back_;
  ConnectedSockets self_;
};

}  // namespace

PathDefinition SocketpairPath() {
  return {
      .name = "socketpair",
      .version = 1,
      .hands_over = "one byte through a stream socket on which the other task sleeps in read",
      .source =
          "unix(7); net/unix/af_unix.c: unix_stream_sendmsg allocates a buffer and wakes the "
          "reader with a synchronous wake-up (sock_def_readable)",
      .fifo = {2, 2, Mix::kVoluntary},
      // Four on Linux 6.1 with PREEMPT_RT, as for the pipe.
      .other = {2, 4},
      .make = [] { return std::unique_ptr<SwitchPath>(std::make_unique<Socketpair>()); },
  };
}

}  // namespace ctxgate
