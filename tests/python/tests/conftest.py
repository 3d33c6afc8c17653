"""A workspace, a folder beside it, and sessions in the workspace."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Callable, Iterator

import pytest

from dsh_fs import Options, Session, Texts
from dsh_fs.provider import Ground, Roots, Versions


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


@pytest.fixture(scope="session")
def texts() -> Texts:
    return Texts()


@pytest.fixture
def ground(workspace: Path, texts: Texts) -> Ground:
    return Ground(roots=Roots(str(workspace)), texts=texts, versions=Versions())


@pytest.fixture
def start(workspace: Path, ground: Ground) -> Iterator[Callable[..., Session]]:
    """Starts a session; options are handed over by name."""
    started: list[Session] = []

    def start(**options: object) -> Session:
        given = {"id": "test", "cwd": str(workspace), "root": str(workspace), **options}
        session = Session(ground, Options(**given))  # type: ignore[arg-type]
        started.append(session)
        return session

    yield start
    for session in started:
        session.close()


@pytest.fixture(autouse=True)
def no_descriptor_stays_open(tmp_path: Path) -> Iterator[None]:
    yield
    ours = [link for link in map(_link, os.listdir("/proc/self/fd")) if link.startswith(str(tmp_path))]
    assert ours == []


def _link(descriptor: str) -> str:
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")
    except FileNotFoundError:
        # It is the one of the listing.
        return ""
