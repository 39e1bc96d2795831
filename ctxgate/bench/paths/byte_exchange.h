// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_PATHS_BYTE_EXCHANGE_H_
#define CTXGATE_BENCH_PATHS_BYTE_EXCHANGE_H_

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <span>

#include "ctxgate/bench/paths/switch_path.h"

namespace ctxgate {

// One byte; end of file sets errno to EPIPE.
inline bool ReadByte(int fd, unsigned char* byte) {
  const ssize_t got = read(fd, byte, 1);
  if (got == 0) errno = EPIPE;
  return got == 1;
}

// One byte there and back over descriptors, in strict order: the leader writes, then reads; the
// partner reads, then writes. (perf bench sched pipe let both write first in 2025, which halved its
// switches and its time.) The byte is a running number, so a lost or doubled hand-over is seen.
// `prepare` is called before each write.
template <typename Prepare>
bool LeadBytes(std::span<int64_t> stamps, int block, int to, int from, Prepare&& prepare) {
  unsigned char token = 0;
  return StampBlocks(stamps, block, [&] {
    unsigned char echo = 0;
    ++token;
    prepare();
    if (write(to, &token, 1) != 1 || !ReadByte(from, &echo)) return false;
    if (echo == token) return true;
    errno = EPROTO;
    return false;
  });
}

inline bool FollowBytes(int round_trips, int from, int to) {
  for (int i = 0; i < round_trips; ++i) {
    unsigned char token = 0;
    if (!ReadByte(from, &token) || write(to, &token, 1) != 1) return false;
  }
  return true;
}

// A task that writes and reads the byte itself: the same system calls, and nobody to wake.
inline bool SendBytesToSelf(std::span<int64_t> stamps, int block, int to, int from) {
  return StampBlocks(stamps, block, [&] {
    unsigned char token = 0;
    return write(to, &token, 1) == 1 && ReadByte(from, &token);
  });
}

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_PATHS_BYTE_EXCHANGE_H_
