// SPDX-License-Identifier: Apache-2.0
#ifndef TESTS_BENCH_FAKE_PATH_H_
#define TESTS_BENCH_FAKE_PATH_H_

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <vector>

#include "ctxgate/bench/paths/eventfd.h"
#include "ctxgate/bench/paths/futex.h"
#include "ctxgate/bench/paths/pipe.h"
#include "ctxgate/bench/paths/socketpair.h"
#include "ctxgate/bench/paths/switch_path.h"
#include "ctxgate/bench/paths/yield.h"

namespace ctxgate {

// A path with a partner that misbehaves in its third round trip.
template <PathDefinition (*Base)(), typename Misbehave>
class FakePath final : public SwitchPath {
 public:
  MaybeFailure Open() override { return path_->Open(); }
  void CloseLeaderEnds() override { path_->CloseLeaderEnds(); }
  void ClosePartnerEnds() override { path_->ClosePartnerEnds(); }
  bool Lead(std::span<int64_t> stamps, int block) override { return path_->Lead(stamps, block); }
  bool Follow(int round_trips) override { return path_->Follow(2) && Misbehave()(round_trips); }
  bool RunTwin(std::span<int64_t> stamps, int block) override {
    return path_->RunTwin(stamps, block);
  }

 private:
  std::unique_ptr<SwitchPath> path_ = Base().make();
};

template <PathDefinition (*Base)(), typename Misbehave>
PathDefinition Fake() {
  PathDefinition definition = Base();
  definition.make = [] {
    return std::unique_ptr<SwitchPath>(std::make_unique<FakePath<Base, Misbehave>>());
  };
  return definition;
}

// Every path with that partner.
template <typename Misbehave>
std::vector<PathDefinition> Fakes() {
  return {Fake<PipePath, Misbehave>(), Fake<SocketpairPath, Misbehave>(),
          Fake<EventfdPath, Misbehave>(), Fake<FutexPath, Misbehave>(),
          Fake<YieldPath, Misbehave>()};
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
