#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: gate_step.sh fit|gate DIRECTORY COMMAND [ARGUMENT...]
#
# The two steps of ctxgate_add_gate() that keep a session from being judged twice. CTest runs the
# dependants of a skipped fixture, and with -FA it runs a test without its fixtures, so the folder
# itself must tell whether something was measured: `fit` clears it, `gate` takes the session out of
# it before judging. What is then missing, the command calls broken.
set -u

step=$1
directory=$2
shift 2

fail() {
  echo "gate_step.sh: $1" >&2
  exit 3
}

case $step in
  fit)
    rm -rf -- "$directory" || fail "cannot clear $directory"
    mkdir -p -- "$directory" || fail "cannot make $directory"
    ;;
  gate)
    rm -rf -- "$directory/judged" "$directory/verdict.json" "$directory/junit.xml" ||
      fail "cannot clear $directory"
    if [ -d "$directory/session" ]; then
      mv -- "$directory/session" "$directory/judged" || fail "cannot move $directory/session"
    fi
    ;;
  *)
    fail "unknown step $step"
    ;;
esac

exec "$@"
