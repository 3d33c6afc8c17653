"""The fence: which directories a mode opens."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import Iterable

from ..values import SandboxMode, Target
from .failure import Failure, cannot
from .names import shown, to_bytes, to_text
from .resolve import resolve


@dataclass(frozen=True)
class Root:
    """A directory beneath which files may be changed, as it was when it was granted."""

    path: str
    #: Device and inode; None where no directory is the limit.
    identity: tuple[int, int] | None

    def is_now(self, descriptor: int) -> bool:
        """Whether an open directory is this one."""
        return self.identity is None or self.identity == _identity(os.fstat(descriptor))


EVERYWHERE = Root("/", None)


class Roots:
    """The writable directories of `workspace-write`, as an embedder grants them by name.

    Protected sub-paths stay read-only; relative ones beneath every root. A root that is
    not there contains nothing.
    """

    def __init__(self, workspace: str, extra: Iterable[str] = (), protected: Iterable[str] = ()) -> None:
        self._roots: list[Root] = []
        for path in [workspace, *extra]:
            self._pin(path)
        self._protected = [
            kept
            for path in protected
            for kept in ([path] if path.startswith("/") else [f"{root.path}/{path}" for root in self._roots])
        ]

    def _pin(self, path: str) -> None:
        try:
            canonical = to_text(os.path.realpath(to_bytes(path), strict=True))
            stats = os.stat(to_bytes(canonical))
        except OSError:
            return
        root = Root(canonical, _identity(stats))
        if stat.S_ISDIR(stats.st_mode) and root not in self._roots:
            self._roots.append(root)

    def admitting(self, target: Target, mode: SandboxMode) -> Root:
        """The root that a target may be changed beneath; `FS_SANDBOX_DENIED` where none is."""
        if mode == "read-only":
            raise denied(target, mode)
        if target.key.startswith("/proc/"):
            raise denied(target, mode, "the path leads through /proc, where links can lead anywhere")
        return EVERYWHERE if mode == "danger-full-access" else self._around(target)

    def _around(self, target: Target) -> Root:
        display = target.display_path
        now = resolve(display if display.startswith("/") else target.key, "/").key
        if any(root.path == now for root in self._roots):
            raise cannot("not-regular-file", "write", display, "not a regular file")
        around = next((root for root in self._roots if _beneath(now, root.path)), None)
        if around is None:
            raise denied(target, "workspace-write")
        if now != target.key:
            detail = "the path leads elsewhere now than when it was resolved"
            raise cannot("stale-version", "write", display, "file changed since it was read", detail)
        kept = next((path for path in self._protected if _covers(path, now)), None)
        if kept is not None:
            raise denied(target, "workspace-write", f'"{shown(kept)}" is kept read-only')
        return around


def denied(target: Target, mode: SandboxMode, detail: str | None = None) -> Failure:
    """The failure of a mutation that the mode forbids."""
    reason = f"file access denied under {mode} mode"
    return cannot("sandbox-denied", "write", target.display_path, reason, detail)


def _identity(stats: os.stat_result) -> tuple[int, int]:
    return stats.st_dev, stats.st_ino


def _beneath(path: str, root: str) -> bool:
    return path.startswith(root if root.endswith("/") else f"{root}/")


def _covers(kept: str, path: str) -> bool:
    return path == kept or _beneath(path, kept) or _beneath(kept, path)
