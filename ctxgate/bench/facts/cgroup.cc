// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/cgroup.h"

#include <algorithm>
#include <sstream>

namespace ctxgate {
namespace {

bool ListHolds(const std::string& list, const std::string& item) {
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) {
    if (part == item) return true;
  }
  return false;
}

struct Membership {
  int version = 0;
  std::string path;
};

// /proc/self/cgroup: "hierarchy:controllers:path", controllers empty for v2.
std::optional<Membership> FindMembership(const std::string& text, const std::string& controller) {
  std::optional<Membership> unified;
  for (const std::string& line : Lines(text)) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (ListHolds(controllers, controller)) return Membership{1, path};
    if (controllers.empty()) unified = Membership{2, path};
  }
  return unified;
}

struct Mount {
  std::string root;   // the part of the hierarchy that is mounted
  std::string point;  // where
};

// proc(5), mountinfo: id parent major:minor root point options [fields...] - type source options.
std::optional<Mount> FindMount(const std::string& text, int version,
                               const std::string& controller) {
  for (const std::string& line : Lines(text)) {
    const std::vector<std::string> words = Words(line);
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (words.size() < 6 || words.end() - dash < 4) continue;
    const std::string& type = dash[1];
    const bool matches =
        version == 2 ? type == "cgroup2" : type == "cgroup" && ListHolds(dash[3], controller);
    if (matches) return Mount{words[3], words[4]};
  }
  return std::nullopt;
}

// The path below the mount: a container may see only its own part of the hierarchy.
std::optional<std::string> PathInMount(const std::string& path, const std::string& root) {
  if (path.find("/..") != std::string::npos) return std::nullopt;  // outside of our namespace
  if (root == "/") return path == "/" ? "" : path;
  if (path == root) return "";
  if (path.starts_with(root + "/")) return path.substr(root.size());
  if (path == "/") return "";
  return std::nullopt;
}

std::int64_t StatCount(const std::string& text, const std::string& name) {
  for (const std::string& line : Lines(text)) {
    const std::vector<std::string> words = Words(line);
    if (words.size() == 2 && words[0] == name) return ToInteger(words[1]).value_or(0);
  }
  return 0;
}

// The quota of one level in CPUs; negative if unlimited, nothing if it is there but unreadable.
std::optional<double> LevelQuota(int version, const std::string& level) {
  std::string quota;
  std::string period;
  if (version == 2) {
    const Source source = ReadSource(level + "/cpu.max");
    if (source.presence == Presence::kAbsent) return -1;
    const std::vector<std::string> words = Words(source.text);
    if (words.size() != 2) return std::nullopt;
    if (words[0] == "max") return -1;
    quota = words[0];
    period = words[1];
  } else {
    const Source source = ReadSource(level + "/cpu.cfs_quota_us");
    if (source.presence == Presence::kAbsent) return -1;
    quota = source.text;
    period = ReadSource(level + "/cpu.cfs_period_us").text;
  }
  const auto quota_us = ToInteger(quota);
  if (quota_us && *quota_us < 0) return -1;
  const auto period_us = ToInteger(period);
  if (!quota_us || !period_us || *period_us <= 0) return std::nullopt;
  return static_cast<double>(*quota_us) / static_cast<double>(*period_us);
}

}  // namespace

Cgroup OwnCgroup(const Roots& roots, const std::string& controller) {
  const Source own = ReadSource(roots.proc + "/self/cgroup");
  if (!own.read()) return {own.presence, 0, {}, {}};
  const auto membership = FindMembership(own.text, controller);
  if (!membership) return {};
  const Source mounts = ReadSource(roots.proc + "/self/mountinfo");
  const auto mount = FindMount(mounts.text, membership->version, controller);
  if (!mount) return {Presence::kUnreadable, 0, {}, {}};
  const auto path = PathInMount(membership->path, mount->root);
  if (!path) return {Presence::kUnreadable, 0, {}, {}};
  const std::string top = PathBelow(roots, mount->point);
  return {Presence::kRead, membership->version, top + *path, top};
}

std::optional<std::string> UnifiedCgroupMount(const Roots& roots) {
  const auto mount = FindMount(ReadSource(roots.proc + "/self/mountinfo").text, 2, "");
  if (!mount) return std::nullopt;
  return PathBelow(roots, mount->point);
}

std::vector<std::string> LevelsUp(const Cgroup& group) {
  std::vector<std::string> levels;
  std::string level = group.directory;
  while (level.size() > group.mount.size()) {
    levels.push_back(level);
    level.resize(level.rfind('/'));
  }
  if (group.presence == Presence::kRead) levels.push_back(group.mount);
  return levels;
}

CpuQuota OwnCpuQuota(const Roots& roots) {
  const Cgroup group = OwnCgroup(roots, "cpu");
  CpuQuota tightest{
      group.presence == Presence::kRead ? Presence::kAbsent : group.presence, 0, 0, 0, {}};
  for (const std::string& level : LevelsUp(group)) {
    const auto cpus = LevelQuota(group.version, level);
    if (!cpus) return {Presence::kUnreadable, 0, 0, 0, level};
    if (*cpus < 0 || (tightest.presence == Presence::kRead && tightest.cpus <= *cpus)) continue;
    const std::string stat = ReadSource(level + "/cpu.stat").text;
    tightest = {Presence::kRead, *cpus, StatCount(stat, "nr_throttled"),
                StatCount(stat, "nr_periods"),
                level + (group.version == 2 ? "/cpu.max" : "/cpu.cfs_quota_us")};
  }
  return tightest;
}

Source OwnRtBudget(const Roots& roots) {
  const Cgroup group = OwnCgroup(roots, "cpu");
  if (group.presence == Presence::kUnreadable) return {Presence::kUnreadable, {}};
  if (group.version != 1) return {};
  return ReadSource(group.directory + "/cpu.rt_runtime_us");
}

}  // namespace ctxgate
