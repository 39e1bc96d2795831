# SPDX-License-Identifier: Apache-2.0
"""A directory for a session that is thrown away; what a killed command left is removed later."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_IN_USE = "in-use"


@contextmanager
def scratch_directory() -> Iterator[Path]:
    """A fresh directory under TMPDIR, gone afterwards.

    Its owner holds a lock in it, which the kernel drops if the owner is killed: by that the next
    command tells a leftover from a directory in use, also across the containers of a host.
    """
    prefix = f"ctxgate-{os.getuid()}-"
    _sweep(Path(tempfile.gettempdir()), prefix)
    path = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        with (path / _IN_USE).open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def _sweep(parent: Path, prefix: str) -> None:
    for left in parent.glob(f"{prefix}*"):
        try:
            if left.is_symlink() or left.stat().st_uid != os.getuid():
                continue
            with (left / _IN_USE).open("r") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # in use, just being made, or not one of ours
            continue
        shutil.rmtree(left, ignore_errors=True)
