// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_PROGRAM_H_
#define CTXGATE_BENCH_PROGRAM_H_

#include <ostream>
#include <string>
#include <vector>

namespace ctxgate {

// The whole program but for its process: arguments without the program's name, its two streams, and
// the exit status (0, 2, 3 or 6, see --help).
int RunProgram(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_PROGRAM_H_
