// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/cpu_list.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <sstream>

#include "ctxgate/bench/facts/cgroup.h"
#include "ctxgate/bench/facts/source.h"

namespace ctxgate {
namespace {

// Linux stops at 8192 CPUs; a larger number is a damaged file, not a list to allocate.
constexpr std::int64_t kMostCpus = 1 << 16;

std::vector<std::string> Split(const std::string& text, char separator) {
  std::istringstream stream(text);
  std::vector<std::string> parts;
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(Trim(part));
  return parts;
}

struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t used = 1;  // of every `group` CPUs, the first `used`
  std::int64_t group = 1;
};

bool IsSane(const Range& range) {
  return range.first >= 0 && range.first <= range.last && range.last < kMostCpus &&
         range.used >= 1 && range.used <= range.group && range.group < kMostCpus;
}

// One part of a list: "5", "0-3" or "0-8:2/4".
std::optional<Range> ParseRange(const std::string& part) {
  const std::size_t colon = part.find(':');
  const std::string span = part.substr(0, colon);
  const std::size_t dash = span.find('-');
  const auto first = ToInteger(span.substr(0, dash));
  const auto last = dash == std::string::npos ? first : ToInteger(span.substr(dash + 1));
  if (!first || !last) return std::nullopt;
  Range range{*first, *last};
  if (colon != std::string::npos) {
    const std::string stride = part.substr(colon + 1);
    const std::size_t slash = stride.find('/');
    if (slash == std::string::npos) return std::nullopt;
    const auto used = ToInteger(stride.substr(0, slash));
    const auto group = ToInteger(stride.substr(slash + 1));
    if (!used || !group) return std::nullopt;
    range.used = *used;
    range.group = *group;
  }
  if (!IsSane(range)) return std::nullopt;
  return range;
}

void Join(std::set<int>& all, const Source& source) {
  if (!source.read()) return;
  if (const auto cpus = ParseCpuList(source.text)) all.insert(cpus->begin(), cpus->end());
}

// A partition can only be made below another one (or, from 6.7 on, anywhere, but then the root
// has cpuset.cpus.isolated), so only such children are searched. "isolated invalid (...)" is a
// partition that the kernel gave up: not isolated.
void JoinPartitions(std::set<int>& all, const std::string& directory) {
  for (const std::string& name : ListDirectory(directory).names) {
    const std::string child = directory + "/" + name;
    const Source partition = ReadSource(child + "/cpuset.cpus.partition");
    if (partition.text == "isolated") Join(all, ReadSource(child + "/cpuset.cpus.effective"));
    if (partition.text == "isolated" || partition.text == "root") JoinPartitions(all, child);
  }
}

}  // namespace

std::optional<std::vector<int>> ParseCpuList(const std::string& text) {
  std::set<int> cpus;
  const std::string list = Trim(text);
  if (list.empty() || list == "(null)") return std::vector<int>{};
  for (const std::string& part : Split(list, ',')) {
    const auto range = ParseRange(part);
    if (!range) return std::nullopt;
    for (std::int64_t cpu = range->first; cpu <= range->last; ++cpu) {
      if ((cpu - range->first) % range->group < range->used) cpus.insert(static_cast<int>(cpu));
    }
  }
  return std::vector<int>(cpus.begin(), cpus.end());
}

std::string FormatCpuList(std::vector<int> cpus) {
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    if (!text.empty()) text += ",";
    text += std::to_string(cpus[i]);
    if (last > i) text += "-" + std::to_string(cpus[last]);
    i = last + 1;
  }
  return text;
}

bool Holds(const std::vector<int>& cpus, int cpu) {
  return std::find(cpus.begin(), cpus.end(), cpu) != cpus.end();
}

std::optional<std::vector<int>> FindIsolatedCpus(const Roots& roots) {
  std::set<int> all;
  const Source at_boot = ReadSource(roots.sys + "/devices/system/cpu/isolated");
  if (at_boot.presence == Presence::kUnreadable || !ParseCpuList(at_boot.text)) return std::nullopt;
  Join(all, at_boot);
  if (const auto mount = UnifiedCgroupMount(roots)) {
    const Source at_root = ReadSource(*mount + "/cpuset.cpus.isolated");
    if (at_root.read()) {
      Join(all, at_root);
    } else {
      JoinPartitions(all, *mount);
    }
  }
  return std::vector<int>(all.begin(), all.end());
}

std::vector<int> IsolatedCpus(const Roots& roots) {
  return FindIsolatedCpus(roots).value_or(std::vector<int>{});
}

int ChooseCpu(const std::vector<int>& allowed, const std::vector<int>& isolated) {
  int best = -1;
  int best_isolated = -1;
  for (const int cpu : allowed) {
    best = std::max(best, cpu);
    if (Holds(isolated, cpu)) best_isolated = std::max(best_isolated, cpu);
  }
  return best_isolated >= 0 ? best_isolated : best;
}

}  // namespace ctxgate
