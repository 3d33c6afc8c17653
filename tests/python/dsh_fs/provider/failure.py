"""Failures: one of the thirteen codes, and one sentence."""

from __future__ import annotations

import errno
from contextlib import contextmanager
from typing import Iterator

from ..values import Error
from .names import shown


class Failure(Exception):
    """A failed file operation, on its way to the component."""

    def __init__(self, error: Error) -> None:
        super().__init__(error.message)
        self.error = error


def failure(code: str, message: str, path: str | None = None, detail: str | None = None) -> Failure:
    """A failure in its own words."""
    return Failure(Error(code, message, path, detail))


def cannot(code: str, verb: str, display: str, reason: str, detail: str | None = None) -> Failure:
    """`cannot <verb> "<path>": <reason>`"""
    path = shown(display)
    return failure(code, f'cannot {verb} "{path}": {reason}', path, detail)


def from_system(verb: str, display: str, error: OSError) -> Failure:
    """The failure for an error of the operating system."""
    name = errno.errorcode.get(error.errno or 0, "an unknown error")
    match name:
        case "ENOENT" | "ENOTDIR":
            return cannot("not-found", verb, display, "not found")
        case "ELOOP":
            return cannot("not-found", verb, display, "too many symbolic links")
        case "ENAMETOOLONG":
            return cannot("not-found", verb, display, "a name in the path is too long")
        case "EACCES" | "EPERM" | "EROFS":
            return cannot("permission-denied", verb, display, f"permission denied ({name})")
        case _:
            return cannot("io-error", verb, display, f"the operating system reported {name}")


@contextmanager
def guarded(verb: str, display: str) -> Iterator[None]:
    """Work whose errors are those of the operating system."""
    try:
        yield
    except OSError as error:
        raise from_system(verb, display, error) from error
