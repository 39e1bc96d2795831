# SPDX-License-Identifier: Apache-2.0
"""What can be wrong with a stored baseline or with recording one: the kinds and their remedies."""

from enum import StrEnum

from ctxgate.readings.model import Problem


class Kind(StrEnum):
    """Why a baseline is not believed or not recorded. The values are part of the reports."""

    # the file
    UNREADABLE = "baseline-unreadable"
    NOT_A_BASELINE = "not-a-baseline"
    UNKNOWN_SCHEMA = "baseline-schema"
    BAD_BASELINE = "bad-baseline"
    NOT_ALONE = "baseline-not-alone"
    SIDE_FILE = "baseline-side-file"
    # who vouches for it
    SIGNATURE_MISSING = "signature-missing"
    NOT_A_SIGNATURE = "signature-unreadable"
    OTHER_NAMESPACE = "signature-namespace"
    UNKNOWN_KEY = "signature-key-unknown"
    REVOKED_KEY = "signature-key-revoked"
    KEY_NOT_ALLOWED = "signature-key-not-allowed"
    EDITED = "baseline-edited"
    NO_KEYGEN = "signature-not-checked"
    NOT_SIGNED = "not-signed"
    BAD_SIGNERS = "allowed-signers"
    # where it comes from
    LOWER_SERIAL = "lower-serial"
    SAME_SERIAL = "same-serial"
    BASE_MISSING = "base-missing"
    UNAPPROVED = "unapproved-machine"
    BAD_APPROVALS = "approved-hardware"
    # what may be recorded
    FOREIGN = "foreign-session"
    UNSTAMPED = "incomplete-session"
    UNLIKE_SESSIONS = "unlike-sessions"
    RECORDED_BEFORE = "recorded-before"
    TOO_FEW = "too-few-sessions"
    UNKNOWN_COMMIT = "unknown-commit"
    REGRESSED = "regressed"
    NOTHING_TO_ADD_TO = "no-baseline-to-add-to"
    NOT_WRITTEN = "baseline-not-written"
    # accepted regressions
    BAD_ACCEPTANCES = "accepted"
    EXPIRED = "acceptance-expired"


_LEAVE = "Take the file again from the branch that it was reviewed on; never edit it by hand."
_AGAIN = "Measure the sessions again with `ctxgate measure`, then record again."
_SIGN = "Sign it with `ctxgate baseline sign` and a key that allowed_signers lists."
_REVIEW = "Correct the file; its own comments show an example."

_REMEDIES = {
    Kind.UNREADABLE: "Check the path and its permissions.",
    Kind.NOT_A_BASELINE: "Give a file that `ctxgate baseline record` wrote.",
    Kind.UNKNOWN_SCHEMA: "Read the file with the ctxgate version that wrote it.",
    Kind.BAD_BASELINE: _LEAVE,
    Kind.NOT_ALONE: "Give one baseline file, or session directories, not both.",
    Kind.SIDE_FILE: _LEAVE,
    Kind.SIGNATURE_MISSING: _SIGN,
    Kind.NOT_A_SIGNATURE: _SIGN,
    Kind.OTHER_NAMESPACE: "Sign it with `ctxgate baseline sign`; a signature made for something "
    "else vouches for nothing here.",
    Kind.UNKNOWN_KEY: "Have it signed by somebody whom allowed_signers lists, or have the key "
    "listed there, in a change that is reviewed.",
    Kind.REVOKED_KEY: "Have it looked at and signed with a key that is not revoked.",
    Kind.KEY_NOT_ALLOWED: "Correct the key's line in allowed_signers, or sign with another key.",
    Kind.EDITED: _LEAVE,
    Kind.NO_KEYGEN: "Install OpenSSH 8.2 or newer (ssh-keygen).",
    Kind.NOT_SIGNED: "Give the key's file with --key; for a key with a passphrase load it into "
    "ssh-agent and give its .pub file.",
    Kind.BAD_SIGNERS: "Check the permissions of the file.",
    Kind.LOWER_SERIAL: "Record it again on top of the base branch's; a serial only grows.",
    Kind.SAME_SERIAL: "Record it again on top of the base branch's; a serial only grows.",
    Kind.BASE_MISSING: "Give the baseline, or the folder of baselines, of the base branch.",
    Kind.UNAPPROVED: "Record on an approved machine, or have this one listed in "
    "approved-hardware.toml with the identity facts of `ctxgate-bench --facts`, in a change that "
    "is reviewed.",
    Kind.BAD_APPROVALS: _REVIEW,
    Kind.FOREIGN: "Measure with ctxgate-bench: a baseline holds proven readings only.",
    Kind.UNSTAMPED: _AGAIN,
    Kind.UNLIKE_SESSIONS: "Record sessions of one machine, one build and one set of benchmarks.",
    Kind.RECORDED_BEFORE: "Give only sessions that it does not hold yet.",
    Kind.TOO_FEW: "Measure more sessions, best hours or boots apart.",
    Kind.UNKNOWN_COMMIT: "Measure and record inside a checkout that git can read.",
    Kind.REGRESSED: "Find the cause; if the change is wanted, accept it in accepted.toml first.",
    Kind.NOTHING_TO_ADD_TO: "Record it first: `ctxgate baseline record`.",
    Kind.NOT_WRITTEN: "Name a writable place.",
    Kind.BAD_ACCEPTANCES: _REVIEW,
    Kind.EXPIRED: "Record a new baseline that holds the change, or have the entry renewed or "
    "removed.",
}


def refuse(kind: Kind, message: str, *, file: str = "", benchmark: str = "") -> Problem:
    """A problem with the remedy of its kind; `message` is a whole sentence."""
    return Problem(
        kind=kind, message=message, remedy=_REMEDIES[kind], file=file, benchmark=benchmark
    )
