# SPDX-License-Identifier: Apache-2.0
"""The signature beside a baseline: made with an SSH key, checked against `allowed_signers`."""

import base64
import binascii
import hashlib
from pathlib import Path
from typing import NamedTuple

from ctxgate.baseline.keygen import NAMESPACE, PROGRAM, Keygen, last_words
from ctxgate.baseline.load import label_of
from ctxgate.baseline.model import StoredFile
from ctxgate.baseline.problems import Kind, refuse
from ctxgate.baseline.text import write_whole
from ctxgate.readings.model import Problem
from ctxgate.readings.problems import shown

ALLOWED_SIGNERS = "allowed_signers"
REVOKED_KEYS = "revoked_keys"
_BEGIN, _END = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
_MAGIC = b"SSHSIG"


class Trust(NamedTuple):
    """What stands against believing a file, and what is to be known where nothing does."""

    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()


class Signature(NamedTuple):
    """What an SSH signature says of itself: the key's fingerprint and what it was made for."""

    fingerprint: str
    namespace: str


def signature_of(path: Path) -> Path:
    """Where the signature of a baseline lies: `NAME.json.sig`."""
    return path.with_name(f"{path.name}.sig")


def read_signature(text: str) -> Signature | None:
    """An armoured SSH signature (OpenSSH's PROTOCOL.sshsig); None where it is none."""
    lines = text.strip().splitlines()
    if len(lines) < 3 or lines[0].strip() != _BEGIN or lines[-1].strip() != _END:
        return None
    try:
        blob = base64.b64decode("".join(line.strip() for line in lines[1:-1]), validate=True)
    except binascii.Error:
        return None
    if not blob.startswith(_MAGIC):
        return None
    key, rest = _string(blob[len(_MAGIC) + 4 :])
    namespace, _ = _string(rest)
    digest = base64.b64encode(hashlib.sha256(key).digest()).decode().rstrip("=")
    return Signature(f"SHA256:{digest}", namespace.decode(errors="backslashreplace"))


def sign(stored: StoredFile, key: Path, keygen: Keygen) -> tuple[Problem, ...]:
    """Write the signature beside the baseline; the problem where that fails."""
    file = label_of(stored.path)
    try:
        ended = keygen.sign(stored.data, key)
    except OSError as error:
        return (_no_keygen(file, error),)
    if ended.returncode != 0 or read_signature(ended.stdout.decode(errors="replace")) is None:
        why = f"{file} was not signed with {label_of(key)}: {last_words(ended)}."
        return (refuse(Kind.NOT_SIGNED, why, file=file),)
    try:
        write_whole(signature_of(stored.path), ended.stdout)
    except OSError as error:
        why = f"The signature of {file} cannot be written: {error.strerror}."
        return (refuse(Kind.NOT_WRITTEN, why, file=file),)
    return ()


def check_signature(stored: StoredFile, keygen: Keygen) -> Trust:
    """Whether somebody whom the `allowed_signers` beside the file lists signed exactly it.

    Without one that lists anybody a signature is not required; that is said, not passed over.
    """
    file, signers = label_of(stored.path), stored.path.with_name(ALLOWED_SIGNERS)
    try:
        required = _lists_anybody(signers)
    except OSError as error:
        why = f"{label_of(signers)} cannot be read: {error.strerror}."
        return Trust((refuse(Kind.BAD_SIGNERS, why, file=file),))
    if not required:
        said = f"{file} needs no signature: {ALLOWED_SIGNERS} beside it lists nobody."
        return Trust(notes=(said,))
    problem = _fault_of_signature(stored)
    if problem is not None:
        return Trust((problem,))
    try:
        return _check(stored, signers, keygen)
    except OSError as error:
        return Trust((_no_keygen(file, error),))


def _fault_of_signature(stored: StoredFile) -> Problem | None:
    """What can be seen of the signature without asking whose it is."""
    file, path = label_of(stored.path), signature_of(stored.path)
    try:
        text = path.read_text(encoding="ascii", errors="replace")
    except FileNotFoundError:
        why = f"{file} is not signed: there is no {path.name} beside it."
        return refuse(Kind.SIGNATURE_MISSING, why, file=file)
    except OSError as error:
        why = f"The signature {label_of(path)} cannot be read: {error.strerror}."
        return refuse(Kind.NOT_A_SIGNATURE, why, file=file)
    signature = read_signature(text)
    if signature is None:
        why = f"{label_of(path)} is no SSH signature."
        return refuse(Kind.NOT_A_SIGNATURE, why, file=file)
    if signature.namespace != NAMESPACE:
        why = f"The signature of {file} was made for {shown(signature.namespace)!r} and not for "
        why += f"{NAMESPACE!r}."
        return refuse(Kind.OTHER_NAMESPACE, why, file=file)
    return None


def _check(stored: StoredFile, signers: Path, keygen: Keygen) -> Trust:
    """Ask ssh-keygen whose signature it is and whether it holds."""
    file, path = label_of(stored.path), signature_of(stored.path)
    found = read_signature(path.read_text(encoding="ascii", errors="replace"))
    key = f"the key {found.fingerprint}" if found is not None else "a key"
    if not keygen.is_intact(stored.data, path):
        why = f"{file} was edited after it was signed, or the signature is another file's."
        return Trust((refuse(Kind.EDITED, why, file=file),))
    principals = keygen.principals(path, signers)
    if not principals:
        why = f"{file} is signed with {key}, which {ALLOWED_SIGNERS} does not list."
        return Trust((refuse(Kind.UNKNOWN_KEY, why, file=file),))
    revoked = path.with_name(REVOKED_KEYS)
    last = ""
    for principal in principals:
        plain = keygen.verify(stored.data, path, signers, principal, None)
        if plain.returncode != 0:
            last = last_words(plain)
            continue
        if not revoked.exists():
            return _vouched(file, principal)
        ended = keygen.verify(stored.data, path, signers, principal, revoked)
        if ended.returncode == 0:
            return _vouched(file, principal)
        why = f"{file} is signed with {key}, which {REVOKED_KEYS} revokes ({last_words(ended)})."
        return Trust((refuse(Kind.REVOKED_KEY, why, file=file),))
    why = f"{file} is signed with {key}, which {ALLOWED_SIGNERS} does not allow for this: {last}."
    return Trust((refuse(Kind.KEY_NOT_ALLOWED, why, file=file),))


def _vouched(file: str, principal: str) -> Trust:
    return Trust(notes=(f"{file} is signed by {shown(principal)}.",))


def _lists_anybody(signers: Path) -> bool:
    try:
        lines = signers.read_bytes().splitlines()
    except FileNotFoundError:
        return False
    return any(line.strip() and not line.strip().startswith(b"#") for line in lines)


def _no_keygen(file: str, error: OSError) -> Problem:
    why = f"{file} cannot be signed or checked: {PROGRAM} {error.strerror or error}."
    return refuse(Kind.NO_KEYGEN, why, file=file)


def _string(blob: bytes) -> tuple[bytes, bytes]:
    """The length-prefixed string at the start of an SSH message, and what follows it."""
    end = 4 + int.from_bytes(blob[:4])
    return blob[4:end], blob[end:]
