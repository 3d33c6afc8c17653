"""Publication: a new content is staged beside the target and takes its name in one step.

Another program is not held off: the content is compared once more right before the name
is taken, and the grade of a replacement says that this is all.
"""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Callable, Iterator, Literal

from ..values import Target
from .content import Content
from .failure import Failure, cannot, guarded
from .folder import last_name

BEST_EFFORT = "another program is not held off while the file is replaced"


@dataclass(frozen=True)
class Published:
    """What a publication came to."""

    grade: Literal["atomic", "best-effort"]
    reason: str | None


def create(folder: int, target: Target, content: bytes) -> Published:
    """Makes a file that is not there; a racing creator keeps its own (`FS_NOT_OBSERVED`)."""
    with _staged(folder, content, None, "write", target) as staged, guarded("write", target.display_path):
        try:
            os.link(staged, last_name(target), src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        except FileExistsError:
            raise _exists(folder, target) from None
    _settle(folder, "write", target)
    return Published("atomic", None)


def replace(
    folder: int, target: Target, content: bytes, old: Content, verb: str, still_there: Callable[[int], None]
) -> Published:
    """Puts a new content in the place of one that `still_there` vouches for."""
    _check_replaceable(folder, target, old, verb)
    with _staged(folder, content, old, verb, target) as staged, guarded(verb, target.display_path):
        still_there(folder)
        os.rename(staged, last_name(target), src_dir_fd=folder, dst_dir_fd=folder)
    _settle(folder, verb, target)
    return Published("best-effort", BEST_EFFORT)


def _exists(folder: int, target: Target) -> Failure:
    with suppress(FileNotFoundError):
        found = os.stat(last_name(target), dir_fd=folder, follow_symlinks=False)
        if not stat.S_ISREG(found.st_mode) and not stat.S_ISLNK(found.st_mode):
            return cannot("not-regular-file", "write", target.display_path, "not a regular file")
    return cannot("not-observed", "write", target.display_path, "exists already and was not read")


def _check_replaceable(folder: int, target: Target, old: Content, verb: str) -> None:
    display = target.display_path
    if old.stats.st_nlink > 1:
        links = f"the file has {old.stats.st_nlink} hard links"
        reason = f"{links}, and the other names would keep the old content"
        raise cannot("permission-denied", verb, display, reason)
    # What an in-place write by the same user would meet.
    flags = os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with guarded(verb, display):
        os.close(os.open(last_name(target), flags, dir_fd=folder))


@contextmanager
def _staged(folder: int, content: bytes, old: Content | None, verb: str, target: Target) -> Iterator[bytes]:
    """The name of a file with the new content, gone afterwards if it was not renamed."""
    name = f".dsh-fs-{secrets.token_hex(8)}".encode()
    display = target.display_path
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with guarded(verb, display):
        descriptor = os.open(name, flags, 0o666, dir_fd=folder)
    try:
        with guarded(verb, display), open(descriptor, "wb", buffering=0) as file:
            _write(file.fileno(), content)
            if old is not None:
                _keep_metadata(file.fileno(), old, verb, display)
            os.fsync(file.fileno())
        yield name
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)


def _write(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _keep_metadata(descriptor: int, old: Content, verb: str, display: str) -> None:
    try:
        os.fchown(descriptor, old.stats.st_uid, old.stats.st_gid)
    except OSError:
        raise cannot("permission-denied", verb, display, "the file would lose its owner") from None
    try:
        _keep_attributes(descriptor, old)
    except OSError:
        reason = "the file would lose its extended attributes"
        raise cannot("permission-denied", verb, display, reason) from None
    kept = 0o7777 if os.geteuid() == 0 else 0o1777
    os.fchmod(descriptor, stat.S_IMODE(old.stats.st_mode) & kept)


def _keep_attributes(descriptor: int, old: Content) -> None:
    """Extended attributes and ACLs are those of the old file, and no others."""
    fresh = {name: os.getxattr(descriptor, name) for name in os.listxattr(descriptor)}
    for name in fresh.keys() - old.attributes.keys():
        os.removexattr(descriptor, name)
    for name, value in old.attributes.items():
        # The kernel drops the capabilities of a program that is written to.
        if fresh.get(name) != value and name != "security.capability":
            os.setxattr(descriptor, name, value)


def _settle(folder: int, verb: str, target: Target) -> None:
    with guarded(verb, target.display_path):
        os.fsync(folder)
