# SPDX-License-Identifier: Apache-2.0
"""The running kernel's configuration: its text, and a hash that only its symbols move."""

import gzip
import hashlib
import re
import zlib
from pathlib import Path
from typing import NamedTuple

from ctxgate.readings.model import UNKNOWN

_COMPILER = re.compile(
    r"CONFIG_(?:CC|GCC|CLANG|AS|LD|LLD|PAHOLE|RUSTC|RUSTC_LLVM|BINDGEN)_VERSION(?:_TEXT)?="
)
"""Written by the build, not chosen: a rebuilt compiler package alone changes them."""


class KernelConfig(NamedTuple):
    """`text` as the kernel gives it ("" if it does not); `digest` of what was chosen in it."""

    text: str
    digest: str


def read(root: Path) -> KernelConfig:
    """The configuration under `root`: of the running kernel itself, else its package's file."""
    for path in _places(root):
        try:
            data = path.read_bytes()
            if path.suffix == ".gz":
                data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error):
            continue
        text = data.decode(errors="replace")
        return KernelConfig(text, digest(text))
    return KernelConfig("", UNKNOWN)


def digest(text: str) -> str:
    """SHA-256 of the symbols that are set, sorted, without comments and compiler versions.

    A symbol that is "not set" and one that is absent mean the same to the kernel.
    """
    chosen = sorted(f"{name}={value}" for name, value in symbols(text).items())
    return hashlib.sha256("\n".join(chosen).encode()).hexdigest()


def symbols(text: str) -> dict[str, str]:
    """The symbols that are set, `CONFIG_HZ` to `250`, without compiler versions."""
    lines = (line.strip() for line in text.splitlines())
    chosen = (line for line in lines if line.startswith("CONFIG_") and not _COMPILER.match(line))
    return {name: value for name, _, value in (line.partition("=") for line in chosen)}


def _places(root: Path) -> list[Path]:
    places = [root / "proc/config.gz"]
    try:
        release = (root / "proc/sys/kernel/osrelease").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return places
    return [
        *places,
        root / f"boot/config-{release}",
        root / f"lib/modules/{release}/config",
        root / f"usr/lib/modules/{release}/config",
    ]
