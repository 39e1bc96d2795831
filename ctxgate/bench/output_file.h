// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_OUTPUT_FILE_H_
#define CTXGATE_BENCH_OUTPUT_FILE_H_

#include <string>
#include <string_view>

#include "ctxgate/bench/failure.h"

namespace ctxgate {

// Writes `text` to `path` whole or not at all: into an unnamed file in the same folder (O_TMPFILE,
// open(2)) which is then linked; where that is not to be had, into a named temporary file that is
// renamed. Temporary files of earlier writers that died are removed first. `path` may be a device
// such as /dev/null or a FIFO, which is then written plainly.
MaybeFailure WriteWhole(const std::string& path, std::string_view text);

// True where WriteWhole could write there; asked before anything is measured.
MaybeFailure CanWrite(const std::string& path);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_OUTPUT_FILE_H_
