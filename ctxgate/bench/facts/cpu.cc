// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/cpu.h"

#include <algorithm>
#include <set>

#include "ctxgate/bench/facts/cpu_list.h"
#include "ctxgate/bench/facts/source.h"

namespace ctxgate {
namespace {

using Info = std::map<std::string, std::string>;

// Blocks of "key : value" lines, one a CPU; a line "processor : N" opens one.
std::vector<Info> ParseBlocks(const std::string& text) {
  std::vector<Info> blocks;
  for (const std::string& line : Lines(text)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = Trim(line.substr(0, colon));
    if (key == "processor" || blocks.empty()) blocks.emplace_back();
    blocks.back().emplace(key, Trim(line.substr(colon + 1)));
  }
  return blocks;
}

// The first of the names under which the architectures write a fact.
std::string FirstOf(const std::optional<Info>& info, const std::vector<std::string>& keys) {
  if (!info) return kUnknown;
  for (const std::string& key : keys) {
    const auto found = info->find(key);
    if (found != info->end() && !found->second.empty()) return found->second;
  }
  return kNone;
}

void AddModel(const Roots& roots, int cpu, FactMap& identity) {
  const auto info = CpuInfo(roots, cpu);
  identity["cpu_vendor"] = FirstOf(info, {"vendor_id", "CPU implementer", "mvendorid"});
  identity["cpu_family"] = FirstOf(info, {"cpu family", "CPU architecture", "isa"});
  identity["cpu_model"] = FirstOf(info, {"model", "CPU part", "marchid"});
  identity["cpu_name"] = FirstOf(info, {"model name", "cpu", "uarch"});
  identity["cpu_stepping"] = FirstOf(info, {"stepping", "CPU revision", "revision", "mimpid"});
  identity["cpu_variant"] = FirstOf(info, {"CPU variant"});
  identity["cpu_microcode"] = FirstOf(info, {"microcode"});
}

// "L2 Unified 1024K 8-way 64B shared by 0": what an index directory says, as far as it says it.
std::string DescribeCache(const std::string& directory) {
  const std::string level = ReadFact(directory + "/level");
  const std::string type = ReadFact(directory + "/type");
  const std::string size = ReadFact(directory + "/size");
  const std::string ways = ReadFact(directory + "/ways_of_associativity");
  const std::string line = ReadFact(directory + "/coherency_line_size");
  const std::string sharers = ReadFact(directory + "/shared_cpu_list");
  for (const std::string& part : {level, type, size, ways, line, sharers}) {
    if (part == kUnknown) return kUnknown;
  }
  std::string text = "L" + level + " " + type;
  if (size != kNone) text += " " + size;
  if (ways != kNone) text += " " + ways + "-way";
  if (line != kNone) text += " " + line + "B";
  if (sharers != kNone) text += " shared by " + sharers;
  return text;
}

std::string DescribeCaches(const Roots& roots, int cpu) {
  if (cpu < 0) return kUnknown;
  const std::string directory = CpuDirectory(roots, cpu) + "/cache";
  const Listing listing = ListDirectory(directory);
  if (listing.presence == Presence::kUnreadable) return kUnknown;
  std::vector<std::string> caches;
  for (const std::string& name : listing.names) {
    if (name.rfind("index", 0) != 0) continue;
    caches.push_back(DescribeCache(directory + "/" + name));
    if (caches.back() == kUnknown) return kUnknown;
  }
  std::sort(caches.begin(), caches.end());
  std::string text;
  for (const std::string& cache : caches) text += (text.empty() ? "" : "; ") + cache;
  return text.empty() ? kNone : text;
}

std::string CountPackages(const Roots& roots) {
  const auto online = ParseCpuList(ReadSource(roots.sys + "/devices/system/cpu/online").text);
  if (!online || online->empty()) return kUnknown;
  std::set<std::string> packages;
  for (const int cpu : *online) {
    const Source package = ReadSource(CpuDirectory(roots, cpu) + "/topology/physical_package_id");
    if (!package.read()) return package.presence == Presence::kAbsent ? kNone : kUnknown;
    packages.insert(package.text);
  }
  return std::to_string(packages.size());
}

std::string DescribeSiblings(const Roots& roots, int cpu) {
  if (cpu < 0) return kUnknown;
  return ReadFact(CpuDirectory(roots, cpu) + "/topology/thread_siblings_list");
}

}  // namespace

std::string CpuDirectory(const Roots& roots, int cpu) {
  return roots.sys + "/devices/system/cpu/cpu" + std::to_string(cpu);
}

std::optional<std::map<std::string, std::string>> CpuInfo(const Roots& roots, int cpu) {
  const Source source = ReadSource(roots.proc + "/cpuinfo");
  if (source.presence == Presence::kUnreadable) return std::nullopt;
  const std::vector<Info> blocks = ParseBlocks(source.text);
  for (const Info& block : blocks) {
    const auto number = block.find("processor");
    if (number != block.end() && number->second == std::to_string(cpu)) return block;
  }
  return blocks.empty() ? Info{} : blocks.front();
}

std::optional<std::vector<int>> CoreCpus(const Roots& roots, int cpu) {
  const Source source = ReadSource(CpuDirectory(roots, cpu) + "/topology/thread_siblings_list");
  if (!source.read()) return std::nullopt;
  return ParseCpuList(source.text);
}

void AddCpuFacts(const Roots& roots, int cpu, Facts& facts) {
  AddModel(roots, cpu, facts.identity);
  facts.identity["caches"] = DescribeCaches(roots, cpu);
  facts.identity["cpus_online"] = ReadFact(roots.sys + "/devices/system/cpu/online");
  facts.identity["packages"] = CountPackages(roots);
  facts.identity["core_cpus"] = DescribeSiblings(roots, cpu);
  facts.identity["measured_cpu"] = cpu < 0 ? kUnknown : std::to_string(cpu);
}

}  // namespace ctxgate
