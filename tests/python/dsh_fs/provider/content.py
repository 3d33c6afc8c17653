"""Content of regular files: strict UTF-8 without NUL, and a version that is the content."""

from __future__ import annotations

import base64
import errno
import hashlib
import hmac
import os
import secrets
import stat
from dataclasses import dataclass

from .failure import cannot, guarded

#: The most bytes of a file that is read, edited or replaced.
MOST_BYTES = 64 << 20

_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class Content:
    """A whole text file as it was read from one descriptor."""

    #: The text as stored, a byte order mark included.
    text: str
    version: str
    stats: os.stat_result
    #: Extended attributes, ACLs among them.
    attributes: dict[str, bytes]


class Versions:
    """Makes versions; those of another instance are other ones."""

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(16)

    def of(self, content: bytes) -> str:
        """The version of a content."""
        digest = hmac.new(self._secret, content, hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest)[:22].decode()


def read(verb: str, path: bytes, display: str, versions: Versions, folder: int | None = None) -> Content:
    """Reads a regular file, by its name in an open folder where one is given.

    What is no regular file is refused without blocking (`FS_NOT_REGULAR_FILE`), more than
    `MOST_BYTES` is `FS_TOO_LARGE`, and what is no text `FS_NOT_TEXT`.
    """
    descriptor = _open(verb, path, display, folder)
    try:
        stats = os.fstat(descriptor)
        if not stat.S_ISREG(stats.st_mode):
            raise cannot("not-regular-file", verb, display, "not a regular file")
        with guarded(verb, display):
            attributes = {name: os.getxattr(descriptor, name) for name in os.listxattr(descriptor)}
            content = _bytes(descriptor)
    finally:
        os.close(descriptor)
    if len(content) > MOST_BYTES:
        raise cannot("too-large", verb, display, f"more than {MOST_BYTES} bytes")
    return Content(_text(verb, display, content), versions.of(content), stats, attributes)


def _bytes(descriptor: int) -> bytes:
    with open(descriptor, "rb", closefd=False) as file:
        return file.read(MOST_BYTES + 1)


def _open(verb: str, path: bytes, display: str, folder: int | None) -> int:
    with guarded(verb, display):
        try:
            return os.open(path, _FLAGS, dir_fd=folder)
        except OSError as error:
            # A socket cannot be opened, and neither can a device without a driver.
            if error.errno in (errno.ENXIO, errno.ENODEV):
                raise cannot("not-regular-file", verb, display, "not a regular file") from error
            raise


def _text(verb: str, display: str, content: bytes) -> str:
    if content.startswith(b"\xff\xfe"):
        raise cannot("not-text", verb, display, "UTF-16 (little endian) text, not UTF-8")
    if content.startswith(b"\xfe\xff"):
        raise cannot("not-text", verb, display, "UTF-16 (big endian) text, not UTF-8")
    if b"\0" in content:
        raise cannot("not-text", verb, display, "binary file")
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise cannot("not-text", verb, display, "invalid UTF-8 text") from None
