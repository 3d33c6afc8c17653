"""Names as bytes and as text, by the escape of wit/filesystem.wit.

Each byte that is not UTF-8 is one character of U+EF80 to U+EFFF, and so is each byte of a
character that is itself in that range.
"""

from __future__ import annotations

import re

# Python decodes a byte that is not UTF-8 as U+DC80 to U+DCFF.
_ESCAPED = re.compile("[\udc80-\udcff\uef80-\uefff]")
_ESCAPES = re.compile("[\uef80-\uefff]")
_FORGING = re.compile("[\u0000-\u001f\u007f-\u009f\u2028\u2029\\\\]")


def to_text(name: bytes) -> str:
    """The text of a name or path."""

    def escape(found: re.Match[str]) -> str:
        stored = found.group().encode("utf-8", "surrogateescape")
        return "".join(chr(0xEF00 + byte) for byte in stored)

    return _ESCAPED.sub(escape, name.decode("utf-8", "surrogateescape"))


def to_bytes(text: str) -> bytes:
    """The bytes of a name or path."""

    def stored(found: re.Match[str]) -> str:
        return chr(ord(found.group()) - 0xEF00 + 0xDC00)

    return _ESCAPES.sub(stored, text).encode("utf-8", "surrogateescape")


def shown(text: str) -> str:
    """A path as messages show it: what could forge a line is written out."""

    def written(found: re.Match[str]) -> str:
        character = found.group()
        return "\\\\" if character == "\\" else f"\\u{{{ord(character):x}}}"

    return _FORGING.sub(written, text)
