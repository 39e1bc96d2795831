// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_SOURCE_H_
#define CTXGATE_BENCH_FACTS_SOURCE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ctxgate {

/// The value of a fact that exists but could not be read; it never equals anything.
inline constexpr const char* kUnknown = "unknown";
/// The value of a fact whose mechanism this machine does not have.
inline constexpr const char* kNone = "none";

/// Whether a file or directory was there and gave up what it holds.
enum class Presence { kRead, kAbsent, kUnreadable };

/// A file of /proc or /sys as it was found.
struct Source {
  Presence presence = Presence::kAbsent;
  std::string text;  ///< Without white space and NUL at its ends; empty unless read.

  [[nodiscard]] bool read() const { return presence == Presence::kRead; }
};

/// A directory as it was found; names are sorted, so that facts do not depend on its order.
struct Listing {
  Presence presence = Presence::kAbsent;
  std::vector<std::string> names;
};

/// Reads a file whole (at most 1 MiB: what is longer is no fact). Never throws.
Source ReadSource(const std::string& path);

/// Lists a directory, sorted by number where names end in one (cpu2 before cpu10). Never throws.
Listing ListDirectory(const std::string& path);

/// The source as a fact: its text; "none" if absent or empty, "unknown" if unreadable.
std::string FactOf(const Source& source);

/// The file as a fact, see `FactOf`.
std::string ReadFact(const std::string& path);

/// The text without white space and NUL at both ends.
std::string Trim(std::string_view text);

/// The words of a text, split at white space.
std::vector<std::string> Words(std::string_view text);

/// The lines of a text, untrimmed.
std::vector<std::string> Lines(std::string_view text);

/// The choice in brackets of a list such as "always [madvise] never"; the text itself without one.
std::string Chosen(const std::string& text);

/// A whole decimal number, or nothing if the text is anything else.
std::optional<std::int64_t> ToInteger(const std::string& text);

/// A number such as "0.08", read with a point whatever the locale, or nothing.
std::optional<double> ToNumber(const std::string& text);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_SOURCE_H_
