// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_TEXT_H_
#define CTXGATE_BENCH_FACTS_TEXT_H_

#include <string>
#include <string_view>

namespace ctxgate {

/// The text as one line of valid UTF-8: control characters become spaces, bytes that are no UTF-8
/// become '?', so that no file of the kernel's can break a report.
std::string OneLine(std::string_view text);

/// The text as a JSON string with its quotes. Expects valid UTF-8 (see `OneLine`).
std::string JsonString(std::string_view text);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_TEXT_H_
