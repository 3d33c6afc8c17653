"""How values cross: data classes are records of WIT."""

from __future__ import annotations

import types
import typing
from dataclasses import fields
from typing import Any, TypeVar

from wasmtime.component import Record


class Value(Record):
    """A record, readable by the names of WIT as well: that is how wasmtime reads it."""

    def __getattr__(self, name: str) -> Any:
        if "-" not in name:
            raise AttributeError(name)
        return getattr(self, name.replace("-", "_"))


class Refused(Exception):
    """The error of a result, as the function states it: a sentence, or a value."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


T = TypeVar("T")


def lift(kind: type[T], given: Any) -> T:
    """A record that came out of a component as its data class."""
    hints = typing.get_type_hints(kind)
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    return kind(**{name: _lift(hints[name], getattr(given, name.replace("_", "-"))) for name in names})


def _lift(hint: Any, given: Any) -> Any:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        hint = typing.get_args(hint)[0]
    if isinstance(given, list):
        [item] = typing.get_args(hint)
        return [_lift(item, each) for each in given]
    return lift(hint, given) if isinstance(given, Record) else given
