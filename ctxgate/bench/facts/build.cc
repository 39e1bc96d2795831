// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/facts/build.h"

#include <algorithm>
#include <array>
#include <string_view>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "ctxgate/bench/facts/source.h"

#ifndef CTXGATE_COMPILER_FLAGS
#define CTXGATE_COMPILER_FLAGS "unknown"
#endif
#ifndef CTXGATE_BENCHMARK_VERSION
#define CTXGATE_BENCHMARK_VERSION "unknown"
#endif

namespace ctxgate {
namespace {

std::string Compiler() {
#if defined(__clang__)
  return "clang " + std::to_string(__clang_major__);
#elif defined(__GNUC__)
  return "gcc " + std::to_string(__GNUC__);
#else
  return kUnknown;
#endif
}

// What was linked in counts, not what was compiled against; musl has no version to ask for.
std::string CLibrary() {
#ifdef __GLIBC__
  return std::string("glibc ") + gnu_get_libc_version();
#else
  return "not glibc";
#endif
}

std::string Architecture() {
#if defined(__x86_64__)
  return "x86_64";
#elif defined(__aarch64__)
  return "aarch64";
#elif defined(__riscv)
  return "riscv" + std::to_string(__riscv_xlen);
#elif defined(__powerpc64__)
  return "powerpc64";
#elif defined(__s390x__)
  return "s390x";
#elif defined(__i386__)
  return "i386";
#elif defined(__arm__)
  return "arm";
#else
  return kUnknown;
#endif
}

std::string Assertions() {
#ifdef NDEBUG
  return "off";
#else
  return "on";
#endif
}

// Options whose value is the next word.
constexpr auto kPairs = std::to_array<std::string_view>(
    {"-I", "-isystem", "-iquote", "-idirafter", "-MF", "-MT", "-MQ", "-o"});

// The starts of options that do not change the code. Debug information sits beside it.
constexpr auto kWithoutEffect = std::to_array<std::string_view>(
    {"-I", "-isystem", "-iquote", "-idirafter", "-M", "-g",
     "-ffile-prefix-map=", "-fdebug-prefix-map=", "-fmacro-prefix-map=", "-fdiagnostics",
     "-fcolor-diagnostics", "-pipe", "-DCTXGATE_", "-pedantic", "--sysroot="});

bool TakesNextWord(const std::string& flag) {
  return std::ranges::find(kPairs, flag) != kPairs.end();
}

bool IsWithoutEffect(const std::string& flag) {
  // -Wa, -Wp, and -Wl, hand options on to the assembler and its kin: no warnings.
  if (flag.starts_with("-W")) return flag.size() < 4 || flag[3] != ',';
  return std::ranges::any_of(kWithoutEffect,
                             [&](std::string_view start) { return flag.starts_with(start); });
}

}  // namespace

std::string FlagsThatMatter(const std::string& flags) {
  std::string kept;
  bool skip_next = false;
  for (const std::string& flag : Words(flags)) {
    const bool skip = skip_next || IsWithoutEffect(flag) || TakesNextWord(flag);
    skip_next = !skip_next && TakesNextWord(flag);
    if (skip) continue;
    if (!kept.empty()) kept += " ";
    kept += flag;
  }
  return kept.empty() ? kNone : kept;
}

void AddBuildFacts(Facts& facts) {
  facts.identity["architecture"] = Architecture();
  facts.identity["compiler"] = Compiler();
  facts.identity["compiler_flags"] = FlagsThatMatter(CTXGATE_COMPILER_FLAGS);
  facts.identity["assertions"] = Assertions();
  facts.identity["libc"] = CLibrary();
  facts.identity["benchmark_library"] = CTXGATE_BENCHMARK_VERSION;
  facts.record["compiler_version"] = __VERSION__;
}

}  // namespace ctxgate
