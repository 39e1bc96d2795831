// SPDX-License-Identifier: Apache-2.0
#include "ctxgate/bench/failure.h"

#include <system_error>

namespace ctxgate {

std::string WithErrno(const std::string& what, int error_number) {
  return what + ": " + std::generic_category().message(error_number);
}

MaybeFailure Refused(RefusedCall call, const std::string& what, int error_number) {
  return Failure{Failure::Kind::kRefused, WithErrno(what + " was refused", error_number), call,
                 error_number};
}

MaybeFailure WithoutEffect(RefusedCall call, const std::string& what) {
  return Failure{Failure::Kind::kError, what + " was accepted but is not in effect on re-reading",
                 call, 0};
}

}  // namespace ctxgate
