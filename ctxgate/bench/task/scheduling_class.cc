// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/task/scheduling_class.h"

#include <cerrno>
#include <string>

namespace ctxgate {
namespace {

int PolicyOf(SchedulingClass scheduling_class) {
  return scheduling_class == SchedulingClass::kFifo ? SCHED_FIFO : SCHED_OTHER;
}

int PriorityOf(SchedulingClass scheduling_class) {
  return scheduling_class == SchedulingClass::kFifo ? kFifoPriority : 0;
}

}  // namespace

std::string_view NameOf(SchedulingClass scheduling_class) {
  return scheduling_class == SchedulingClass::kFifo ? "fifo" : "other";
}

bool InClass(SchedulingClass scheduling_class) {
  sched_param parameter{};
  // The reset-on-fork flag is no class.
  const int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
  return policy == PolicyOf(scheduling_class) && sched_getparam(0, &parameter) == 0 &&
         parameter.sched_priority == PriorityOf(scheduling_class);
}

ScopedSchedulingClass::ScopedSchedulingClass() : former_policy_(sched_getscheduler(0)) {
  sched_getparam(0, &former_parameter_);
}

ScopedSchedulingClass::~ScopedSchedulingClass() {
  if (former_policy_ >= 0) sched_setscheduler(0, former_policy_, &former_parameter_);
}

MaybeFailure ScopedSchedulingClass::Enter(SchedulingClass scheduling_class) {
  sched_param parameter{};
  parameter.sched_priority = PriorityOf(scheduling_class);
  const std::string name =
      scheduling_class == SchedulingClass::kFifo ? "SCHED_FIFO" : "SCHED_OTHER";
  if (sched_setscheduler(0, PolicyOf(scheduling_class), &parameter) != 0) {
    return Refused(RefusedCall::kSchedulerClass, name, errno);
  }
  if (!InClass(scheduling_class)) return WithoutEffect(RefusedCall::kSchedulerClass, name);
  return {};
}

}  // namespace ctxgate
