// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/text.h"

#include <array>
#include <cstdio>

namespace ctxgate {
namespace {

unsigned Byte(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
}

// The range of the second byte, by the first (Unicode, table 3-7): it excludes overlong forms,
// surrogates and what lies beyond U+10FFFF.
bool SecondFits(unsigned first, unsigned second) {
  if (first == 0xe0) return second >= 0xa0 && second <= 0xbf;
  if (first == 0xed) return second >= 0x80 && second <= 0x9f;
  if (first == 0xf0) return second >= 0x90 && second <= 0xbf;
  if (first == 0xf4) return second >= 0x80 && second <= 0x8f;
  return second >= 0x80 && second <= 0xbf;
}

// The length of the well-formed character at `at`; 0 if there is none.
std::size_t CharacterLength(std::string_view text, std::size_t at) {
  const unsigned first = Byte(text, at);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (!SecondFits(first, Byte(text, at + 1))) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((Byte(text, at + i) & 0xc0) != 0x80) return 0;
  }
  return length;
}

bool IsControl(unsigned byte) { return byte < 0x20 || byte == 0x7f; }

}  // namespace

std::string OneLine(std::string_view text) {
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = CharacterLength(text, at);
    if (length == 0) {
      line += '?';
    } else if (IsControl(Byte(text, at))) {
      line += ' ';
    } else {
      line += text.substr(at, length);
    }
    at += length == 0 ? 1 : length;
  }
  return line;
}

std::string JsonString(std::string_view text) {
  std::string quoted = "\"";
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (character == '"' || character == '\\') {
      quoted += '\\';
      quoted += character;
    } else if (IsControl(byte)) {
      std::array<char, 8> escape{};
      (void)std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(byte));
      quoted += escape.data();
    } else {
      quoted += character;
    }
  }
  return quoted + "\"";
}

}  // namespace ctxgate
