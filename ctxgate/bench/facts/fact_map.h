// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_FACT_MAP_H_
#define CTXGATE_BENCH_FACTS_FACT_MAP_H_

#include <map>
#include <string>

namespace ctxgate {

/// Facts by name. A value is "unknown" if it exists but could not be read, "none" if this machine
/// has no such mechanism.
using FactMap = std::map<std::string, std::string>;

/// The facts of one run by what a comparison does with them.
struct Facts {
  FactMap identity;  ///< Must match, or the sessions are not comparable.
  FactMap subject;   ///< Under test: expected to differ, always shown.
  FactMap record;    ///< Only noted: what changes by itself.
};

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_FACT_MAP_H_
