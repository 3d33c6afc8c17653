"""The provider alone: what happens between its steps, which no vector can place."""

from __future__ import annotations

import os
import random
import stat
from pathlib import Path
from typing import Callable

import pytest

from dsh_fs import Session
from dsh_fs.provider import Files, Ground, Roots, content, files, publish
from dsh_fs.provider.failure import Failure
from dsh_fs.provider.hunks import hunks
from dsh_fs.provider.names import to_bytes, to_text
from dsh_fs.values import Edit, ExecutionPolicy, Target, WriteGuard

CREATE = WriteGuard("create-if-absent")


@pytest.fixture
def handle(ground: Ground, workspace: Path) -> Files:
    return Files(ground, ExecutionPolicy("workspace-write", str(workspace), None), None)


def target(path: Path) -> Target:
    return Target(str(path), str(path))


def code(work: Callable[[], object]) -> str:
    with pytest.raises(Failure) as failed:
        work()
    return failed.value.error.code


def test_a_folder_that_becomes_a_link_leads_nowhere(
    handle: Files, workspace: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red without O_NOFOLLOW in `_STEP` of folder.py: the file was made outside."""
    (workspace / "sub").mkdir()

    def swapped(*args: object) -> object:
        (workspace / "sub").rmdir()
        (workspace / "sub").symlink_to(outside)
        return folder(*args)  # type: ignore[arg-type]

    folder = files.folder
    monkeypatch.setattr(files, "folder", swapped)
    write = target(workspace / "sub/a")
    assert code(lambda: handle.write_text(write, "x", CREATE, set())) == "sandbox-denied"
    assert os.listdir(outside) == []


def test_a_root_that_was_replaced_is_none(handle: Files, workspace: Path) -> None:
    """Seen red without the question `is_now` in folder.py."""
    workspace.rename(workspace.with_name("moved"))
    workspace.mkdir()
    write = target(workspace / "a")
    assert code(lambda: handle.write_text(write, "x", CREATE, set())) == "sandbox-denied"
    assert os.listdir(workspace) == []


def test_a_content_that_changed_in_between_stays(
    handle: Files, workspace: Path, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red without the call of `still_there` in publish.py."""
    file = workspace / "a"
    file.write_text("one\n")
    seen = ground.versions.of(b"one\n")
    check = publish._check_replaceable

    def changed(*args: object) -> None:
        check(*args)  # type: ignore[arg-type]
        file.write_text("two\n")

    monkeypatch.setattr(publish, "_check_replaceable", changed)
    edit = Edit("one", "three", False)
    assert code(lambda: handle.edit_text(target(file), edit, seen, set())) == "stale-version"
    assert file.read_text() == "two\n"
    assert os.listdir(workspace) == ["a"]


def test_folders_that_were_made_for_nothing_are_removed(
    handle: Files, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red without `unmake` in folder.py."""

    def full(*_: object) -> None:
        raise OSError(28, "no space left")

    monkeypatch.setattr(publish, "_write", full)
    write = target(workspace / "x/y/z")
    assert code(lambda: handle.write_text(write, "x", CREATE, set())) == "io-error"
    assert os.listdir(workspace) == []


def test_a_replacement_keeps_what_it_is_not_about(start: Callable[..., Session], workspace: Path) -> None:
    """Seen red without `_keep_metadata` in publish.py."""
    file = workspace / "a"
    file.write_text("one\n")
    file.chmod(0o640)
    try:
        os.setxattr(file, "user.note", b"kept")
    except OSError as error:
        pytest.skip(f"no extended attributes here: {error}")
    session = start()
    session.call("read", {"file_path": "a"})
    answer = session.call("write", {"file_path": "a", "content": "two\n"})
    assert answer.ok and answer.value["grade"] == "best-effort"
    assert (file.read_text(), os.getxattr(file, "user.note")) == ("two\n", b"kept")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_what_is_too_large_is_refused(start: Callable[..., Session], workspace: Path) -> None:
    with open(workspace / "a", "wb") as file:
        file.truncate(content.MOST_BYTES + 1)
    assert start().call("read", {"file_path": "a"}).code == "FS_TOO_LARGE"


def test_a_root_that_is_not_there_contains_nothing(workspace: Path) -> None:
    roots = Roots(str(workspace / "missing"))
    (workspace / "missing").mkdir()
    write = target(workspace / "missing/a")
    assert code(lambda: roots.admitting(write, "workspace-write")) == "sandbox-denied"


def test_every_name_has_one_text() -> None:
    chance = random.Random(5)
    pieces = [b"a", "\u00e9".encode(), "\uef80".encode(), "\uefff".encode(), b"\xff", b"\xed\xa0\x80", b"\xf0\x9f"]
    for _ in range(2_000):
        name = b"".join(chance.choices(pieces, k=chance.randrange(6)))
        text = to_text(name)
        text.encode()
        assert to_bytes(text) == name
        assert to_text(to_bytes(text)) == text


def test_hunks_lead_from_one_text_to_the_other() -> None:
    chance = random.Random(7)
    for _ in range(300):
        before = "".join(f"{chance.randrange(6)}\n" for _ in range(chance.randrange(40)))
        lines = before.splitlines(keepends=True)
        for _ in range(chance.randrange(4)):
            at = chance.randrange(len(lines) + 1)
            lines[at : at + chance.randrange(3)] = ["new\n"] * chance.randrange(3)
        assert applied(before, "".join(lines)) == "".join(lines)


def applied(before: str, after: str) -> str:
    """The old text with the regions put in."""
    found, cut = hunks(before, after)
    assert not cut
    lines = before.splitlines(keepends=True)
    for hunk in reversed(found):
        start = hunk.old_start - 1
        old = hunk.old_text.splitlines(keepends=True)
        assert lines[start : start + len(old)] == old
        lines[start : start + len(old)] = [hunk.new_text]
    return "".join(lines)


def test_too_many_regions_are_said_to_be_cut() -> None:
    before = "".join(f"{number}\n" for number in range(2_000))
    after = "".join(f"{number if number % 20 else 'x'}\n" for number in range(2_000))
    found, cut = hunks(before, after)
    assert (len(found), cut) == (50, True)
    assert hunks("a\n" * 9_000, "b\n" * 9_000) == ([], True)
