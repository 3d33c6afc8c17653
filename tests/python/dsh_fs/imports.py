"""What a toolbox imports: files and somebody to ask, and nothing else.

A failure goes back as the error of a result. Anything else that an import raises breaks
the instance, and reaches the caller of the tool.
"""

from __future__ import annotations

from typing import Any, Callable

from wasmtime.component import LinkerInstance, ResourceHost, ResourceType, Variant

from .components import Link
from .provider.authority import Authority
from .provider.failure import Failure
from .provider.files import Files
from .values import Edit, ExecutionPolicy, ReadWindow, Target, WriteGuard
from .wit import lift

_FILES = 1


class ImportFailed(Exception):
    """Something that Python does not hand on from a callback, like an interrupt."""


def imports(authority: Authority) -> Link:
    """Hands an authority to a component."""
    handles = _Handles(authority)

    def link(root: LinkerInstance) -> None:
        with root.add_instance("dsh:fs/filesystem@0.1.0") as filesystem:
            filesystem.add_resource("files", ResourceType.host(_FILES), handles.drop)
            for name, func in handles.functions().items():
                filesystem.add_func(name, _whole(func))
        with root.add_instance("dsh:fs/approval@0.1.0") as approval:
            approval.add_func("ask", _whole(lambda _, question: authority.ask(question)))

    return link


class _Handles:
    """The open handles of one instance, by number."""

    def __init__(self, authority: Authority) -> None:
        self._authority = authority
        self._open: dict[int, Files] = {}
        self._next = 1

    def functions(self) -> dict[str, Callable[..., Any]]:
        return {
            "open": self.open,
            "[method]files.resolve": self._method(self.resolve, tagged=True),
            "[method]files.process-path": self._method(self.process_path, tagged=False),
            "[method]files.read-window": self._method(self.read_window, tagged=True),
            "[method]files.list-dir": self._method(self.list_dir, tagged=False),
            "[method]files.write-text": self._method(self.write_text, tagged=True),
            "[method]files.edit-text": self._method(self.edit_text, tagged=True),
        }

    def _method(self, work: Callable[..., Any], tagged: bool) -> Callable[..., Any]:
        """A method of `files`. Results are tagged where both sides have the same type."""

        def run(store: Any, handle: Any, *args: Any) -> Any:
            files = self._open[handle.to_host(store).rep]
            try:
                answer = work(files, *args)
                return Variant("ok", answer) if tagged else answer
            except Failure as failed:
                return Variant("err", failed.error) if tagged else failed.error

        return run

    def drop(self, _store: Any, number: int) -> None:
        self._open.pop(number, None)

    def open(self, _store: Any, policy: Any, grant: str | None) -> Any:
        try:
            files = self._authority.open(lift(ExecutionPolicy, policy), grant)
        except Failure as failed:
            return failed.error
        number, self._next = self._next, self._next + 1
        self._open[number] = files
        return ResourceHost.own(number, _FILES)

    def resolve(self, files: Files, path: str, base: str | None) -> Any:
        return files.resolve(path, base)

    def process_path(self, _files: Files, key: str) -> str:
        return key

    def read_window(self, files: Files, target: Any, window: Any) -> Any:
        return files.read_window(lift(Target, target), lift(ReadWindow, window))

    def list_dir(self, files: Files, target: Any) -> Any:
        return files.list_dir(lift(Target, target))

    def write_text(self, files: Files, target: Any, content: str, guard: Any, report: set[str]) -> Any:
        return files.write_text(lift(Target, target), content, WriteGuard(guard.tag, guard.payload), report)

    def edit_text(self, files: Files, target: Any, edit: Any, guard: str | None, report: set[str]) -> Any:
        return files.edit_text(lift(Target, target), lift(Edit, edit), guard, report)


def _whole(func: Callable[..., Any]) -> Callable[..., Any]:
    """Hands on whatever is raised: wasmtime knows ordinary exceptions only."""

    def run(*args: Any) -> Any:
        try:
            return func(*args)
        except Exception:
            raise
        except BaseException as raised:
            raise ImportFailed from raised

    return run
