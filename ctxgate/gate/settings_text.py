# SPDX-License-Identifier: Apache-2.0
"""The settings in effect, for a person and as JSON: what `ctxgate config show` prints."""

import msgspec

from ctxgate.gate.settings import Setting, Settings


def render(settings: Settings, *, origin: bool) -> str:
    """A line a setting in columns, and the file; with `origin` also where each was taken from."""
    rows = [("setting", "value", "origin")]
    rows += [(one.setting, _words(one), one.origin) for one in settings.in_effect]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    lines = []
    for name, value, taken in rows:
        cells = [name.ljust(widths[0]), value.ljust(widths[1]), taken if origin else ""]
        lines.append("  ".join(cells).rstrip())
    file = settings.file
    read = f"{file.path} (sha256 {file.digest})" if file else "none"
    return "\n".join([*lines, "", f"file: {read}", ""])


def document(settings: Settings) -> bytes:
    """The same as JSON, origins always with it."""
    file = settings.file
    fields = {
        "schema": 1,
        "file": {"path": file.path, "sha256": file.digest} if file else None,
        "settings": [
            {"setting": one.setting, "value": one.value, "origin": one.origin}
            for one in settings.in_effect
        ],
    }
    return msgspec.json.format(msgspec.json.encode(fields)) + b"\n"


def _words(one: Setting) -> str:
    return one.value if isinstance(one.value, str) else ", ".join(one.value)
