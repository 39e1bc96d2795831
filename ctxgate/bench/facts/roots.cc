// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/roots.h"

namespace ctxgate {
namespace {

bool IsBelow(const std::string& path, const std::string& top) {
  return path == top || path.starts_with(top + "/");
}

}  // namespace

std::string PathBelow(const Roots& roots, const std::string& path) {
  if (IsBelow(path, "/sys")) return roots.sys + path.substr(4);
  if (IsBelow(path, "/proc")) return roots.proc + path.substr(5);
  return path;
}

}  // namespace ctxgate
