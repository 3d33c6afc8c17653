"""Values of WIT as JSON.

A case without a payload is its name, one with a payload an object of one field; names of
fields are those of WIT.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Callable, TypeVar

from wasmtime.component import Variant

from dsh_fs.wit import Value

Functions = dict[str, Callable[[dict[str, Any]], Any]]

T = TypeVar("T")


def encode(value: Any) -> Any:
    """A value as JSON."""
    if isinstance(value, Variant):
        return value.tag if value.payload is None else {value.tag: encode(value.payload)}
    if isinstance(value, Value):
        names = [field.name for field in fields(value)]  # type: ignore[arg-type]
        return {name.replace("_", "-"): encode(getattr(value, name)) for name in names}
    if isinstance(value, list):
        return [encode(item) for item in value]
    return value


def variant(kind: type[T], given: Any) -> T:
    """JSON as a variant."""
    if isinstance(given, str):
        return kind(given)  # type: ignore[call-arg]
    [(tag, payload)] = given.items()
    return kind(tag, payload)  # type: ignore[call-arg]


def record(kind: type[T], given: dict[str, Any]) -> T:
    """JSON as a record of plain fields."""
    return kind(**{name.replace("-", "_"): value for name, value in given.items()})
