// SPDX-License-Identifier: Apache-2.0
#ifndef TESTS_BENCH_FAKE_PATH_H_
#define TESTS_BENCH_FAKE_PATH_H_

#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "ctxgate/bench/paths/pipe.h"
#include "ctxgate/bench/paths/switch_path.h"

namespace ctxgate {

// The pipe path with a partner that misbehaves in its third round trip.
template <typename Misbehave>
class FakePath final : public SwitchPath {
 public:
  MaybeFailure Open() override { return pipe_->Open(); }
  void CloseLeaderEnds() override { pipe_->CloseLeaderEnds(); }
  void ClosePartnerEnds() override { pipe_->ClosePartnerEnds(); }
  bool Lead(std::span<int64_t> stamps, int block) override { return pipe_->Lead(stamps, block); }
  bool Follow(int round_trips) override { return pipe_->Follow(2) && Misbehave()(round_trips); }
  bool RunTwin(std::span<int64_t> stamps, int block) override {
    return pipe_->RunTwin(stamps, block);
  }

 private:
  std::unique_ptr<SwitchPath> pipe_ = PipePath().make();
};

template <typename Misbehave>
PathDefinition Fake() {
  PathDefinition definition = PipePath();
  definition.make = [] {
    return std::unique_ptr<SwitchPath>(std::make_unique<FakePath<Misbehave>>());
  };
  return definition;
}

struct IsKilled {
  bool operator()(int) const { return kill(getpid(), SIGKILL) == 0; }
};
struct Exits {
  bool operator()(int) const { _exit(7); }
};
struct Sleeps {
  bool operator()(int) const {
    pause();  // until the deadline's signal or the partner's end
    return false;
  }
};
struct GivesUp {
  bool operator()(int) const {
    errno = EPROTO;
    return false;
  }
};

}  // namespace ctxgate

#endif  // TESTS_BENCH_FAKE_PATH_H_
