// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/source.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <memory>
#include <sstream>

namespace ctxgate {
namespace {

constexpr std::size_t kLongestSource = std::size_t{1} << 20;

// A driver that went away answers ENODEV or ENXIO for a file that is still listed.
Presence PresenceOf(int error) {
  const bool absent = error == ENOENT || error == ENOTDIR || error == ENODEV || error == ENXIO;
  return absent ? Presence::kAbsent : Presence::kUnreadable;
}

struct Descriptor {
  explicit Descriptor(int number) : fd(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
  int fd;
};

// "cpu10" -> ("cpu", 10): sysfs numbers its directories without leading zeros.
std::pair<std::string, std::int64_t> SplitNumber(const std::string& name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  const std::size_t start = last == std::string::npos ? 0 : last + 1;
  return {name.substr(0, start), ToInteger(name.substr(start)).value_or(-1)};
}

template <typename Number>
std::optional<Number> ParseWhole(const std::string& text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

Source ReadSource(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.fd < 0) return {PresenceOf(errno), {}};
  std::string text;
  std::array<char, 4096> part{};
  while (text.size() < kLongestSource) {
    const ssize_t count = read(file.fd, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return {PresenceOf(errno), {}};
    if (count == 0) return {Presence::kRead, Trim(text)};
    text.append(part.data(), static_cast<std::size_t>(count));
  }
  return {Presence::kUnreadable, {}};
}

Listing ListDirectory(const std::string& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(path.c_str()), closedir);
  if (directory == nullptr) return {PresenceOf(errno), {}};
  Listing listing{Presence::kRead, {}};
  while (const dirent* entry = readdir(directory.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") listing.names.push_back(name);
  }
  std::sort(listing.names.begin(), listing.names.end(),
            [](const std::string& a, const std::string& b) {
              return std::pair(SplitNumber(a), a) < std::pair(SplitNumber(b), b);
            });
  return listing;
}

std::string FactOf(const Source& source) {
  if (source.presence == Presence::kUnreadable) return kUnknown;
  return source.text.empty() ? kNone : source.text;
}

std::string ReadFact(const std::string& path) { return FactOf(ReadSource(path)); }

std::string Trim(std::string_view text) {
  constexpr std::string_view kBlank(" \t\r\n\v\f\0", 7);
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kBlank) - first + 1));
}

std::vector<std::string> Words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<std::string> Lines(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string Chosen(const std::string& text) {
  const std::size_t open = text.find('[');
  const std::size_t close = text.find(']', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return text;
  return text.substr(open + 1, close - open - 1);
}

std::optional<std::int64_t> ToInteger(const std::string& text) {
  return ParseWhole<std::int64_t>(text);
}

std::optional<double> ToNumber(const std::string& text) { return ParseWhole<double>(text); }

}  // namespace ctxgate
