// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_ROOTS_H_
#define CTXGATE_BENCH_FACTS_ROOTS_H_

#include <string>

namespace ctxgate {

/// Where the kernel's file trees are; tests point them at recorded trees.
struct Roots {
  std::string proc = "/proc";
  std::string sys = "/sys";
};

/// The place of `path` below the roots: "/sys/fs/cgroup" of a mount table becomes
/// `roots.sys + "/fs/cgroup"`. A path outside /proc and /sys is returned as it is.
std::string PathBelow(const Roots& roots, const std::string& path);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_ROOTS_H_
