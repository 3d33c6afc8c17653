"""Files under one policy: what the toolbox holds.

Mutations are methods, and each passes the fence first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace as with_
from typing import Callable

from ..texts import Texts
from ..values import (
    DirEntry,
    Edit,
    Edited,
    EditGuard,
    ExecutionPolicy,
    Mutation,
    ReadWindow,
    Target,
    TextWindow,
    WriteGuard,
)
from ..wit import Refused
from .content import Content, Versions, read
from .failure import Failure, cannot, failure
from .folder import folder, last_name
from .hunks import hunks
from .listing import listing
from .names import to_bytes
from .publish import Published, create, replace
from .refusals import no_longer_there, refused_edit, stale
from .resolve import resolve
from .roots import Root, Roots, denied


@dataclass
class Ground:
    """What handles are made of."""

    roots: Roots
    texts: Texts
    versions: Versions
    #: Whether a mutation without a guard is refused.
    guarded: bool = True
    #: Whether a person withdrew the running call.
    aborted: Callable[[], bool] = lambda: False


class Files:
    """A handle. One that was opened with a permission is good for one mutation of `only`."""

    def __init__(self, ground: Ground, policy: ExecutionPolicy, only: str | None) -> None:
        self._ground = ground
        self._policy = policy
        self._only = only
        self._used = False

    def resolve(self, path: str, base: str | None) -> Target:
        self._look("resolve")
        return resolve(path, base if base is not None else self._policy.workspace_root)

    def read_window(self, target: Target, window: ReadWindow) -> TextWindow:
        self._look("read")
        content = self._read("read", target)
        return self._ground.texts.show(content.text, content.version, window)

    def list_dir(self, target: Target) -> list[DirEntry]:
        self._look("list")
        return listing(target)

    def write_text(self, target: Target, content: str, guard: WriteGuard, report: set[str]) -> Mutation:
        root = self._admit("write", target, guard.tag != "unconditional")
        self._look("write")
        old = self._old(target, guard)
        with folder(target, root, self._policy.mode, "write") as inside:
            published = self._publish(inside, target, content.encode(), old, "write")
        return self._told(target, old, content, published, report)

    def edit_text(self, target: Target, edit: Edit, guard: EditGuard, report: set[str]) -> Mutation:
        root = self._admit("edit", target, guard is not None)
        self._look("edit")
        old = self._editable(target, guard)
        edited = self._edited(target, old, edit)
        with folder(target, root, self._policy.mode, "edit") as inside:
            published = self._publish(inside, target, edited.content.encode(), old, "edit")
        told = self._told(target, old, edited.content, published, report)
        return with_(told, replacements=edited.replacements)

    def _publish(self, inside: int, target: Target, content: bytes, old: Content | None, verb: str) -> Published:
        if old is None:
            return create(inside, target, content)

        def still_there(inside: int) -> None:
            found = read(verb, last_name(target), target.display_path, self._ground.versions, inside)
            if found.version != old.version:
                raise stale(verb, target)

        return replace(inside, target, content, old, verb, still_there)

    def _old(self, target: Target, guard: WriteGuard) -> Content | None:
        """What a write would displace; the guard is compared with it first."""
        if guard.tag == "create-if-absent":
            return None
        old = self._found("write", target)
        if guard.tag == "unconditional":
            return old
        if old is None:
            raise no_longer_there("write", target)
        if old.version != guard.payload:
            raise stale("write", target)
        return old

    def _editable(self, target: Target, guard: EditGuard) -> Content:
        old = self._found("edit", target)
        if old is None:
            if guard is None:
                raise cannot("not-found", "edit", target.display_path, "not found")
            raise no_longer_there("edit", target)
        if guard is not None and old.version != guard:
            raise stale("edit", target)
        return old

    def _edited(self, target: Target, old: Content, edit: Edit) -> Edited:
        try:
            return self._ground.texts.apply_edit(old.text, edit)
        except Refused as refused:
            raise refused_edit(target, refused.value) from None

    def _found(self, verb: str, target: Target) -> Content | None:
        try:
            return self._read(verb, target)
        except Failure as failed:
            if failed.error.code == "not-found":
                return None
            raise

    def _read(self, verb: str, target: Target) -> Content:
        return read(verb, to_bytes(target.key), target.display_path, self._ground.versions)

    def _admit(self, verb: str, target: Target, guarded: bool) -> Root:
        """The root of a mutation that may happen."""
        mode = self._policy.mode
        if mode != "read-only":
            if self._ground.guarded and not guarded:
                raise cannot("not-observed", verb, target.display_path, "no guard was given")
            if self._only is not None and (self._only != target.key or self._used):
                raise denied(target, mode, "the approval is not for this")
        root = self._ground.roots.admitting(target, mode)
        self._used = True
        return root

    def _told(
        self, target: Target, old: Content | None, after: str, published: Published, report: set[str]
    ) -> Mutation:
        before = old.text if old else None
        changed, cut = hunks(before, after) if "hunks" in report else ([], False)
        return Mutation(
            operation="update" if old else "create",
            target=target,
            version=self._ground.versions.of(after.encode()),
            previous=old.version if old else None,
            replacements=None,
            grade=published.grade,
            grade_reason=published.reason,
            hunks=changed,
            hunks_cut=cut,
            before=before if "texts" in report else None,
            after=after if "texts" in report else None,
        )

    def _look(self, verb: str) -> None:
        if self._ground.aborted():
            raise failure("aborted", f"{verb} aborted")
