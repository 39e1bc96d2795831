# SPDX-License-Identifier: Apache-2.0
"""Runs a command under a seccomp filter that lets system calls return 0 without doing anything.

usage: pretend_success.py NUMBER[,NUMBER...] COMMAND [ARGUMENT...]
exits 77 where seccomp is refused
"""

import ctypes
import os
import struct
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD_NUMBER, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
RET_ERRNO_0, RET_ALLOW = 0x00050000, 0x7FFF0000


def main() -> None:
    numbers = [int(number) for number in sys.argv[1].split(",")]
    program = [(LOAD_NUMBER, 0, 0, 0)]
    for number in numbers:
        program += [(JUMP_IF_EQUAL, 0, 1, number), (RETURN, 0, 0, RET_ERRNO_0)]
    program.append((RETURN, 0, 0, RET_ALLOW))
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in program))
    filter_ = struct.pack("HL", len(program), ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        sys.exit(77)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter_) != 0:
        sys.exit(77)
    os.execv(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
