// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_BUILD_H_
#define CTXGATE_BENCH_FACTS_BUILD_H_

#include <string>

#include "ctxgate/bench/facts/fact_map.h"

namespace ctxgate {

/// Adds what this program was made of: compiler and its major version, flags, assertions, C
/// library, Google Benchmark, architecture. The build system passes the flags as
/// CTXGATE_COMPILER_FLAGS and the library's version as CTXGATE_BENCHMARK_VERSION (both strings).
void AddBuildFacts(Facts& facts);

/// The flags that shape the machine code, in their order: warnings, include paths, dependency
/// files and path maps are left out, for they name directories and would make two builds of the
/// same code differ.
std::string FlagsThatMatter(const std::string& flags);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_BUILD_H_
