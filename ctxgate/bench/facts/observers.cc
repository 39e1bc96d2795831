// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/observers.h"

#include <array>
#include <string_view>

#include "ctxgate/bench/facts/source.h"

namespace ctxgate {
namespace {

constexpr auto kObservers = std::to_array<std::string_view>(
    {"perf", "strace", "ltrace", "bpftrace", "trace-cmd", "kernelshark", "stap", "stapio",
     "lttng-consumerd", "rtla", "timerlat", "osnoise", "gdb", "uftrace"});

bool IsObserver(const std::string& name) {
  for (const std::string_view observer : kObservers) {
    // The kernel cuts names after 15 characters.
    if (name == observer.substr(0, 15)) return true;
  }
  // Debian calls its binaries perf_6.1 and alike.
  return name.starts_with("perf_");
}

}  // namespace

std::optional<std::vector<std::string>> FindObservers(const Roots& roots) {
  const Listing listing = ListDirectory(roots.proc);
  if (listing.presence != Presence::kRead) return std::nullopt;
  std::vector<std::string> found;
  for (const std::string& name : listing.names) {
    if (!ToInteger(name)) continue;
    const std::string command = ReadSource(roots.proc + "/" + name + "/comm").text;
    if (IsObserver(command)) found.push_back(command + " (" + name + ")");
  }
  return found;
}

}  // namespace ctxgate
