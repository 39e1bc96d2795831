// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_TASK_PARENT_H_
#define CTXGATE_BENCH_TASK_PARENT_H_

#include <string>

namespace ctxgate {

// Asks for the death of this process with that of `parent`, a process id as text: what `ctxgate
// measure` sets before exec is cleared there when the program has file capabilities (prctl(2),
// PR_SET_PDEATHSIG). False where that parent is gone already; true without one.
bool DieWithParent(const std::string& parent);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_TASK_PARENT_H_
