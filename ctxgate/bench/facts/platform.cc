// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/platform.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ctxgate/bench/facts/source.h"

namespace ctxgate {
namespace {

struct Name {
  const char* sign;
  const char* hypervisor;
};

// What hypervisors answer to CPUID, and what they are called.
constexpr std::array<Name, 10> kSignatures = {{{"KVMKVMKVM", "KVM"},
                                               {"TCGTCGTCGTCG", "QEMU"},
                                               {"Microsoft Hv", "Hyper-V"},
                                               {"VMwareVMware", "VMware"},
                                               {"XenVMMXenVMM", "Xen"},
                                               {"VBoxVBoxVBox", "VirtualBox"},
                                               {"bhyve bhyve", "bhyve"},
                                               {"ACRNACRNACRN", "ACRN"},
                                               {"prl hyperv", "Parallels"},
                                               {"QNXQVMBSQG", "QNX"}}};

// What guests' firmware tables say; the fallback where no CPUID tells.
constexpr std::array<Name, 9> kProducts = {{{"KVM", "KVM"},
                                            {"QEMU", "QEMU"},
                                            {"Amazon EC2", "KVM"},
                                            {"Google Compute Engine", "KVM"},
                                            {"VMware", "VMware"},
                                            {"VirtualBox", "VirtualBox"},
                                            {"Xen", "Xen"},
                                            {"Virtual Machine", "Hyper-V"},
                                            {"dummy-virt", "KVM"}}};

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string Dmi(const Roots& roots, const std::string& name) {
  return ReadFact(roots.sys + "/class/dmi/id/" + name);
}

// Two facts as one, with neither "none" nor half of an unknown in it.
std::string Joined(const std::string& first, const std::string& second) {
  if (first == kUnknown || second == kUnknown) return kUnknown;
  if (first == kNone) return second;
  return second == kNone ? first : first + " " + second;
}

std::string Machine(const Roots& roots) {
  std::string by_dmi = Joined(Dmi(roots, "sys_vendor"), Dmi(roots, "product_name"));
  if (by_dmi != kNone) return by_dmi;
  return ReadFact(roots.sys + "/firmware/devicetree/base/model");
}

std::string Firmware(const Roots& roots) {
  return Joined(Dmi(roots, "bios_vendor"), Dmi(roots, "bios_version"));
}

std::string Memory(const Roots& roots) {
  const Source source = ReadSource(roots.proc + "/meminfo");
  for (const std::string& line : Lines(source.text)) {
    const std::vector<std::string> words = Words(line);
    if (words.size() < 2 || words[0] != "MemTotal:") continue;
    const auto total = ToInteger(words[1]);
    if (total && *total > 0) return InstalledMemory(*total);
  }
  return source.presence == Presence::kAbsent ? kNone : kUnknown;
}

}  // namespace

std::string Hypervisor(const Roots& roots, const Self& self) {
  const std::string& signature = self.hypervisor_signature;
  for (const Name& name : kSignatures) {
    if (signature == name.sign) return name.hypervisor;
  }
  if (!signature.empty() && signature != "unnamed") return signature;
  const Source type = ReadSource(roots.sys + "/hypervisor/type");
  if (type.read() && !type.text.empty()) return type.text == "xen" ? "Xen" : type.text;
  const std::string machine = Machine(roots);
  // Clouds give bare-metal instances the same vendor and a product such as "c6g.metal".
  if (!Contains(machine, ".metal")) {
    for (const Name& name : kProducts) {
      if (Contains(machine, name.sign)) return name.hypervisor;
    }
  }
  return signature.empty() ? kNone : signature;
}

std::string InstalledMemory(std::int64_t total_kib) {
  std::int64_t below = 1;
  while (below * 2 < total_kib) below *= 2;
  const std::int64_t step = std::max<std::int64_t>(below / 4, 1);
  const std::int64_t rounded = (total_kib + step - 1) / step * step;
  constexpr std::array<std::pair<std::int64_t, const char*>, 3> kUnits = {
      {{std::int64_t{1} << 20, " GiB"}, {std::int64_t{1} << 10, " MiB"}, {1, " KiB"}}};
  for (const auto& [size, unit] : kUnits) {
    if (rounded % size == 0) return std::to_string(rounded / size) + unit;
  }
  return kUnknown;
}

void AddPlatformFacts(const Roots& roots, const Self& self, Facts& facts) {
  const std::string clock = roots.sys + "/devices/system/clocksource/clocksource0/";
  facts.identity["hypervisor"] = Hypervisor(roots, self);
  facts.identity["machine"] = Machine(roots);
  facts.identity["firmware"] = Firmware(roots);
  facts.identity["memory"] = Memory(roots);
  facts.identity["clocksource"] = ReadFact(clock + "current_clocksource");
  facts.record["clocksources"] = ReadFact(clock + "available_clocksource");
}

}  // namespace ctxgate
