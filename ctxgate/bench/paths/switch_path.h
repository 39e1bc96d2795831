// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_PATHS_SWITCH_PATH_H_
#define CTXGATE_BENCH_PATHS_SWITCH_PATH_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "ctxgate/bench/clock.h"
#include "ctxgate/bench/failure.h"
#include "ctxgate/bench/proof/evidence.h"

namespace ctxgate {

// A way for one task to hand over to another and back. The leader times, the partner follows.
class SwitchPath {
 public:
  virtual ~SwitchPath() = default;

  // Makes what both tasks share; called once, before the partner exists.
  virtual MaybeFailure Open() = 0;
  // Called in the partner process and in the leader beside one: each closes what is the other's, so
  // that a death is seen as end of file. Not called for a thread, which shares its descriptors. A
  // path without ends closes nothing: there the deadline tells of a process that ended.
  virtual void CloseLeaderEnds() {}
  virtual void ClosePartnerEnds() {}

  // stamps.size() - 1 blocks of `block` round trips, a time before the first and after each; false,
  // with errno set, where the other side is gone, a token is wrong, or a signal interrupted.
  virtual bool Lead(std::span<int64_t> stamps, int block) = 0;
  // The other side of that many round trips.
  virtual bool Follow(int round_trips) = 0;
  // The same system calls without a hand-over, `block` times between two stamps.
  virtual bool RunTwin(std::span<int64_t> stamps, int block) = 0;
};

// What a path is, in data; each path's file defines one.
struct PathDefinition {
  std::string_view name;        // as in switch/<name>/...
  int version;                  // raised when the meaning of a reading changes
  std::string_view hands_over;  // what hands over
  std::string_view source;      // where it is described
  // Round trips timed as one: 1, but for a path so short that reading the clock would cost more
  // than 1 % of it.
  int block = 1;
  // The path whose p99 is gated too, for which it gets twice the batches; the null system call of
  // each place is measured beside it.
  bool principal = false;
  ExpectedSwitches fifo;
  ExpectedSwitches other;
  std::unique_ptr<SwitchPath> (*make)();

  const ExpectedSwitches& Expected(SchedulingClass scheduling_class) const {
    return scheduling_class == SchedulingClass::kFifo ? fifo : other;
  }
};

// All paths, in the order of their listing.
const std::vector<PathDefinition>& AllPaths();

// Stamps the time before the first and after each of stamps.size() - 1 blocks of `block` calls of
// `step`; false as soon as a call says so.
template <typename Step>
bool StampBlocks(std::span<int64_t> stamps, int block, Step&& step) {
  stamps[0] = NowNs();
  for (std::size_t i = 1; i < stamps.size(); ++i) {
    for (int call = 0; call < block; ++call) {
      if (!step()) return false;
    }
    stamps[i] = NowNs();
  }
  return true;
}

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_PATHS_SWITCH_PATH_H_
