// SPDX-License-Identifier: Apache-2.0
#ifndef CTXGATE_BENCH_FAILURE_H_
#define CTXGATE_BENCH_FAILURE_H_

#include <optional>
#include <string>
#include <utility>

namespace ctxgate {

// The call by which the kernel refused the place or the memory that a reading needs.
enum class RefusedCall { kSchedulerClass, kAffinity, kMemoryLock };

// Why something could not be done. Exceptions never cross the measuring loop, so calls that can
// fail return std::optional<Failure>; an empty one is success.
struct Failure {
  enum class Kind {
    kError,    // exit 3: no valid reading
    kRefused,  // exit 6: the machine cannot give a valid reading now
    kUsage,    // exit 2
  };
  Kind kind = Kind::kError;
  std::string message;
  // The call that was refused, or accepted without effect, and its errno (0 in the latter case).
  std::optional<RefusedCall> call = {};
  int error_number = 0;
};

using MaybeFailure = std::optional<Failure>;

inline MaybeFailure Error(std::string message) {
  return Failure{Failure::Kind::kError, std::move(message)};
}
// The kernel said no to `what`.
MaybeFailure Refused(RefusedCall call, const std::string& what, int error_number);
// The kernel said yes to `what` and did not do it, as a seccomp filter can make it do.
MaybeFailure WithoutEffect(RefusedCall call, const std::string& what);

// "what: No such file or directory", from errno at the time of the call.
std::string WithErrno(const std::string& what, int error_number);

}  // namespace ctxgate

#endif  // CTXGATE_BENCH_FAILURE_H_
