"""Which file a path means: links are followed one component at a time, as the kernel does."""

from __future__ import annotations

import os
import stat

from ..values import Target
from .failure import Failure, cannot, failure, from_system
from .names import to_bytes, to_text

MOST_LINKS = 40
LONGEST_PATH = 4095
LONGEST_NAME = 255


def resolve(path: str, base: str) -> Target:
    """The canonical key of a path, and the path as it is shown."""
    if not path.strip():
        raise failure("not-found", "file_path must be a non-empty string")
    spelled = path if path.startswith("/") else f"{base}/{path}"
    why = _unusable(path, base, spelled)
    if why is not None:
        raise cannot("not-found", "resolve", spelled, why)
    key = to_text(_Walk(spelled).canonical())
    return Target(key, _displayed(spelled, key))


def _unusable(path: str, base: str, spelled: str) -> str | None:
    if "\0" in spelled:
        return "the path contains a NUL character"
    if not path.startswith("/") and not base.startswith("/"):
        return "the base directory is not absolute"
    if len(to_bytes(spelled)) > LONGEST_PATH:
        return f"the path is longer than {LONGEST_PATH} bytes"
    return None


def _displayed(spelled: str, key: str) -> str:
    """The path without `.` and empty names; the key where a step up may cross a link."""
    names = [name for name in spelled.split("/") if name not in ("", ".")]
    if ".." not in names:
        return "/" + "/".join(names)
    kept: list[str] = []
    for name in names:
        if name != "..":
            kept.append(name)
        elif kept:
            kept.pop()
    shorter = "/" + "/".join(kept)
    try:
        return shorter if to_text(_Walk(shorter).canonical()) == key else key
    except Failure:
        return key


class _Walk:
    """One walk from the root of the disk."""

    def __init__(self, spelled: str) -> None:
        self._spelled = spelled
        self._names = _split(to_bytes(spelled))
        self._here: list[bytes] = []
        self._links = 0
        self._missing = False
        # Whether the last name is said to be a directory's.
        self._directory = _says_directory(to_bytes(spelled))

    def canonical(self) -> bytes:
        while self._names:
            self._step(self._names.pop(0))
        if self._directory and not self._is_directory():
            raise self._refused('a path that ends in "/" names a directory, and none is there')
        return _join(self._here)

    def _step(self, name: bytes) -> None:
        if len(name) > LONGEST_NAME:
            raise self._refused("a name in the path is too long")
        if name == b"..":
            return self._up()
        found = None if self._missing else self._look([*self._here, name])
        if found is not None and stat.S_ISLNK(found.st_mode):
            return self._follow(name)
        if found is not None and not stat.S_ISDIR(found.st_mode) and self._names:
            raise self._refused("a parent path segment is not a directory")
        self._missing = self._missing or found is None
        self._here.append(name)

    def _up(self) -> None:
        if self._missing:
            raise self._refused('".." after a directory that does not exist')
        del self._here[-1:]

    def _follow(self, name: bytes) -> None:
        self._links += 1
        if self._links > MOST_LINKS:
            raise self._refused("too many symbolic links")
        try:
            stored = os.readlink(_join([*self._here, name]))
        except OSError as error:
            raise from_system("resolve", self._spelled, error) from error
        if stored.startswith(b"/"):
            self._here = []
        if not self._names:
            self._directory = self._directory or _says_directory(stored)
        self._names = _split(stored) + self._names

    def _is_directory(self) -> bool:
        if not self._here:
            return True
        found = None if self._missing else self._look(self._here)
        return found is not None and stat.S_ISDIR(found.st_mode)

    def _look(self, names: list[bytes]) -> os.stat_result | None:
        try:
            return os.lstat(_join(names))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise from_system("resolve", self._spelled, error) from error

    def _refused(self, reason: str) -> Failure:
        return cannot("not-found", "resolve", self._spelled, reason)


def _says_directory(path: bytes) -> bool:
    return path.rsplit(b"/", 1)[-1] in (b"", b".")


def _split(path: bytes) -> list[bytes]:
    return [name for name in path.split(b"/") if name not in (b"", b".")]


def _join(names: list[bytes]) -> bytes:
    return b"/" + b"/".join(names)
