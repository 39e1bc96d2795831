// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/proof/task_counts.h"

#include <sys/resource.h>

namespace ctxgate {

TaskCounts operator-(const TaskCounts& later, const TaskCounts& earlier) {
  return {later.voluntary - earlier.voluntary, later.involuntary - earlier.involuntary,
          later.page_faults - earlier.page_faults};
}

TaskCounts& operator+=(TaskCounts& total, const TaskCounts& part) {
  total.voluntary += part.voluntary;
  total.involuntary += part.involuntary;
  total.page_faults += part.page_faults;
  return total;
}

TaskCounts ReadTaskCounts() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return {usage.ru_nvcsw, usage.ru_nivcsw, usage.ru_minflt + usage.ru_majflt};
}

}  // namespace ctxgate
