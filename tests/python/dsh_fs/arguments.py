"""The arguments of a tool call as a model sends them.

Only the shape is checked here; what the values mean is the component's to judge.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .wit import Value


class Misshapen(Exception):
    """Arguments of the wrong shape."""


@dataclass(frozen=True)
class Escalation(Value):
    """Wider permissions, as a model asks for them."""

    sandbox_permissions: str | None
    justification: str | None


@dataclass(frozen=True)
class ReadArgs(Value):
    """Arguments of `read`."""

    file_path: str
    offset: int | None
    limit: int | None
    column: int | None


@dataclass(frozen=True)
class WriteArgs(Value):
    """Arguments of `write`."""

    file_path: str
    content: str
    escalation: Escalation


@dataclass(frozen=True)
class EditArgs(Value):
    """Arguments of `edit`."""

    file_path: str
    old_string: str
    new_string: str
    replace_all: bool
    escalation: Escalation


@dataclass(frozen=True)
class ListArgs(Value):
    """Arguments of `list`."""

    file_path: str | None
    offset: int | None
    limit: int | None


def arguments(tool: str, given: Any) -> Value:
    """The arguments of a tool by its name."""
    shapes = {"read": _read, "write": _write, "edit": _edit, "list": _list}
    if tool not in shapes:
        raise Misshapen(f'unknown tool "{tool}"')
    if not isinstance(given, dict):
        raise Misshapen("invalid arguments: expected an object")
    return shapes[tool](_Properties(given))


def _read(args: _Properties) -> ReadArgs:
    args.require("file_path")
    return ReadArgs(
        file_path=args.required_text("file_path"),
        offset=args.number("offset"),
        limit=args.number("limit"),
        column=args.number("column"),
    )


def _write(args: _Properties) -> WriteArgs:
    args.require("file_path", "content")
    return WriteArgs(
        file_path=args.required_text("file_path"),
        content=args.required_text("content"),
        escalation=args.escalation(),
    )


def _edit(args: _Properties) -> EditArgs:
    args.require("file_path", "old_string", "new_string")
    return EditArgs(
        file_path=args.required_text("file_path"),
        old_string=args.required_text("old_string"),
        new_string=args.required_text("new_string"),
        replace_all=args.flag("replace_all"),
        escalation=args.escalation(),
    )


def _list(args: _Properties) -> ListArgs:
    return ListArgs(args.text("file_path"), args.number("offset"), args.number("limit"))


class _Properties:
    """The properties of a call. One that is there has the right type, None not being one."""

    def __init__(self, given: dict[str, Any]) -> None:
        self._given = given

    def require(self, *names: str) -> None:
        for name in names:
            if name not in self._given:
                raise Misshapen(f'invalid arguments: missing required property "{name}"')

    def required_text(self, name: str) -> str:
        self.require(name)
        return self.text(name) or ""

    def text(self, name: str) -> str | None:
        text: str | None = self._typed(name, "string", str)
        try:
            (text or "").encode()
        except UnicodeEncodeError:
            raise Misshapen(f'invalid arguments: "{name}" has a lone surrogate') from None
        return text

    def flag(self, name: str) -> bool:
        return self._typed(name, "boolean", bool) or False

    def number(self, name: str) -> int | None:
        """One that is not whole becomes 0, which the component refuses in its own words."""
        number = self._typed(name, "number", int, float)
        if number is None:
            return None
        whole = isinstance(number, int) or number.is_integer()
        return max(-(2**62), min(2**62, int(number))) if whole else 0

    def escalation(self) -> Escalation:
        return Escalation(self.text("sandbox_permissions"), self.text("justification"))

    def _typed(self, name: str, told: str, *kinds: type) -> Any:
        if name not in self._given:
            return None
        given = self._given[name]
        # True and False are numbers of Python, and none of JSON.
        if not isinstance(given, kinds) or (isinstance(given, bool) and bool not in kinds):
            raise Misshapen(f'invalid arguments: "{name}" must be a {told}')
        return given
