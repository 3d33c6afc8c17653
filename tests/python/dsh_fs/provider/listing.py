"""The direct children of a directory, by the bytes of their names."""

from __future__ import annotations

import errno
import os
import stat
from typing import Literal

from ..values import DirEntry, Target
from .failure import Failure, cannot, guarded
from .names import to_bytes, to_text
from .resolve import resolve


def listing(target: Target) -> list[DirEntry]:
    """The children; one that cannot be examined is `other`, with its trouble."""
    path = to_bytes(target.key)
    with guarded("list", target.display_path):
        if not stat.S_ISDIR(os.stat(path).st_mode):
            raise cannot("not-directory", "list", target.display_path, "not a directory")
        names = sorted(os.listdir(path))
    entries = (_entry(target, to_text(name)) for name in names)
    return [entry for entry in entries if entry is not None]


def _entry(parent: Target, name: str) -> DirEntry | None:
    """One child; none where it is gone by now."""
    target = Target(_child(parent.key, name), _child(parent.display_path, name))
    try:
        stats = os.lstat(to_bytes(target.key))
    except FileNotFoundError:
        return None
    except OSError as error:
        return DirEntry(name, "other", False, None, target, _trouble(error))
    if stat.S_ISLNK(stats.st_mode):
        return _link(target, name)
    return DirEntry(name, _kind(stats), False, _size(stats), target, None)


def _link(target: Target, name: str) -> DirEntry:
    try:
        led = os.stat(to_bytes(target.key))
        key = resolve(target.key, "/").key
    except (OSError, Failure) as error:
        return DirEntry(name, "other", True, None, target, _trouble(error))
    return DirEntry(name, _kind(led), True, _size(led), Target(key, target.display_path), None)


def _child(path: str, name: str) -> str:
    return f"{path.rstrip('/')}/{name}"


def _trouble(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "the link leads to nothing"
    if isinstance(error, OSError):
        return f"it cannot be examined ({errno.errorcode.get(error.errno or 0, error.errno)})"
    return str(error)


def _kind(stats: os.stat_result) -> Literal["file", "directory", "other"]:
    if stat.S_ISREG(stats.st_mode):
        return "file"
    return "directory" if stat.S_ISDIR(stats.st_mode) else "other"


def _size(stats: os.stat_result) -> int | None:
    return stats.st_size if stat.S_ISREG(stats.st_mode) else None
