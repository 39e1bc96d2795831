// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FACTS_COMMAND_LINE_H_
#define CTXGATE_BENCH_FACTS_COMMAND_LINE_H_

#include <string>

namespace ctxgate {

/// The kernel's command line without what only names this host, its disks or its network (`root=`,
/// `ip=`, ...), the boot loader's own words and everything after "--", which is for init. What is
/// left keeps its order.
std::string PublicCommandLine(const std::string& command_line);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FACTS_COMMAND_LINE_H_
