"""A walk into a root that follows no link: the open folder of a target."""

from __future__ import annotations

import errno
import os
from contextlib import ExitStack, contextmanager, suppress
from typing import Iterator

from ..values import SandboxMode, Target
from .failure import Failure, cannot, from_system, guarded
from .names import to_bytes
from .roots import Root, denied

_STEP = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def last_name(target: Target) -> bytes:
    """The last name of a target."""
    return to_bytes(target.key.rsplit("/", 1)[-1])


@contextmanager
def folder(target: Target, root: Root, mode: SandboxMode, verb: str) -> Iterator[int]:
    """The descriptor of the folder of a target.

    Missing folders are made, and removed if the work in them fails. A link on the way is
    `FS_SANDBOX_DENIED`: it was put there since the target was resolved.
    """
    rest = target.key.removeprefix(root.path).strip("/")
    with ExitStack() as opened:
        walk = _Walk(verb, target.display_path, opened)
        here = walk.step(to_bytes(root.path), None)
        if not root.is_now(here):
            raise denied(target, mode, "a writable root is no longer the directory that it was")
        try:
            for name in rest.split("/")[:-1]:
                here = walk.into(to_bytes(name), here)
            yield here
        except BaseException:
            walk.unmake()
            raise


class _Walk:
    """The way so far; its descriptors are closed with the stack."""

    def __init__(self, verb: str, display: str, opened: ExitStack) -> None:
        self._verb = verb
        self._display = display
        self._opened = opened
        self._made: list[tuple[int, bytes]] = []

    def step(self, name: bytes, parent: int | None) -> int:
        try:
            descriptor = os.open(name, _STEP, dir_fd=parent)
        except OSError as error:
            raise self._failed(error) from error
        self._opened.callback(os.close, descriptor)
        return descriptor

    def into(self, name: bytes, parent: int) -> int:
        with guarded(self._verb, self._display), suppress(FileExistsError):
            if not self._is_there(name, parent):
                os.mkdir(name, dir_fd=parent)
                self._made.append((parent, name))
        return self.step(name, parent)

    def _is_there(self, name: bytes, parent: int) -> bool:
        try:
            os.stat(name, dir_fd=parent, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return True

    def unmake(self) -> None:
        """Removes what was made; what somebody else uses by now stays."""
        for parent, name in reversed(self._made):
            with suppress(OSError):
                os.rmdir(name, dir_fd=parent)

    def _failed(self, error: OSError) -> Failure:
        # With O_DIRECTORY, a link is reported as something that is no directory.
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            return cannot("sandbox-denied", "write", self._display, "a link was put on the way")
        return from_system(self._verb, self._display, error)
