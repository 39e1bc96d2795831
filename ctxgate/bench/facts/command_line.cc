// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/command_line.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

namespace ctxgate {
namespace {

// Whole names, separated by spaces. None of them changes what the running kernel does with a task;
// all of them differ between hosts of one hardware class, or name one: its disks, its network, the
// host and its tenants with seeds and passwords, and the file that the boot loader took, which the
// kernel's release names already.
constexpr std::string_view kHostNames =
    " root rootflags rootfstype rootwait rootdelay roothash resume resume_offset cryptdevice"
    " cryptkey zfs bootfs ostree subvol dm-mod.create mount.usr mount.usrflags"
    " ip nfsroot nfsaddrs netconsole ifname BOOTIF bridge bond vlan team nameserver netroot"
    " iscsi_initiator dhcp_hostname hostname domain url ds cloud-config-url ks preseed/url password"
    " systemd.hostname systemd.machine_id systemd.set_credential systemd.set_credential_binary"
    " systemd.setenv systemd.import_credentials BOOT_IMAGE initrd boot ";

// Whole families by the start of the name: options of the initramfs and of installers.
constexpr auto kHostFamilies = std::to_array<std::string_view>(
    {"rd.", "iscsi", "luks.", "inst.", "ignition.", "coreos.", "cloud-init", "live-config."});

// Values that name one disk, whatever the option is called.
constexpr auto kDiskNames = std::to_array<std::string_view>(
    {"UUID=", "PARTUUID=", "LABEL=", "PARTLABEL=", "/dev/disk/", "/dev/mapper/"});

// The kernel's own splitting: white space outside of double quotes.
std::vector<std::string> SplitOptions(const std::string& text) {
  std::vector<std::string> options(1);
  bool quoted = false;
  for (const char character : text) {
    if (character == '"') quoted = !quoted;
    if (!quoted && std::isspace(static_cast<unsigned char>(character)) != 0) {
      if (!options.back().empty()) options.emplace_back();
    } else {
      options.back() += character;
    }
  }
  if (options.back().empty()) options.pop_back();
  return options;
}

bool NamesTheHost(const std::string& option) {
  const std::size_t equals = option.find('=');
  const std::string_view name = std::string_view(option).substr(0, equals);
  const auto starts = [&](std::string_view family) {
    return name.substr(0, family.size()) == family;
  };
  const auto holds = [&](std::string_view disk) {
    return equals != std::string::npos && option.find(disk, equals + 1) != std::string::npos;
  };
  return kHostNames.find(" " + std::string(name) + " ") != std::string_view::npos ||
         std::ranges::any_of(kHostFamilies, starts) || std::ranges::any_of(kDiskNames, holds);
}

}  // namespace

std::string PublicCommandLine(const std::string& command_line) {
  std::string kept;
  for (const std::string& option : SplitOptions(command_line)) {
    if (option == "--") break;
    if (NamesTheHost(option)) continue;
    kept += (kept.empty() ? "" : " ") + option;
  }
  return kept;
}

}  // namespace ctxgate
