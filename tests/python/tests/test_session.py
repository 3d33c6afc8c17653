"""A session, where it goes wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Callable

import pytest

from dsh_fs import Session
from dsh_fs.provider import Asked, Decision

Start = Callable[..., Session]
WIDER = {"sandbox_permissions": "danger-full-access", "justification": "why not"}


def test_a_session_that_needs_too_much_ends_and_no_other(start: Start, workspace: Path) -> None:
    (workspace / "a").write_text("text\n")
    other = start()
    # Enough to begin, and not enough for a call. Without `set_fuel` in components.py a
    # call runs for as long as it likes.
    session = start(fuel=20_000)
    for _ in range(2):
        answer = session.call("read", {"file_path": "a"})
        assert answer.code == "COMPONENT_TRAPPED"
    assert other.call("read", {"file_path": "a"}).ok


@pytest.mark.parametrize("raised", [ValueError, KeyboardInterrupt])
def test_what_a_person_raises_comes_out(start: Start, outside: Path, raised: type[BaseException]) -> None:
    def person(_: Asked) -> Decision:
        raise raised("no")

    session = start(person=person)
    write = {"file_path": str(outside / "a"), "content": "x", **WIDER}
    with pytest.raises(raised):
        session.call("write", write)
    assert not (outside / "a").exists()
    assert session.call("list", {}).code == "COMPONENT_TRAPPED"


def test_a_permission_is_good_for_one_file_once(start: Start, outside: Path) -> None:
    asked: list[Asked] = []

    def person(question: Asked) -> Decision:
        asked.append(question)
        return "allowed-once" if len(asked) == 1 else "rejected"

    session = start(person=person)
    write = {"file_path": str(outside / "a"), "content": "x"}
    assert session.call("write", {**write, **WIDER}).ok
    assert session.call("write", write).code == "FS_SANDBOX_DENIED"
    assert session.call("write", {**write, **WIDER}).code == "ESCALATION_REFUSED"
    assert [question.path for question in asked] == [str(outside / "a")] * 2


def test_arguments_of_the_wrong_shape_are_refused(start: Start) -> None:
    session = start()
    wrong: list[tuple[str, object]] = [
        ("delete", {}),
        ("read", []),
        ("read", {}),
        ("read", {"file_path": None}),
        ("read", {"file_path": "a", "limit": True}),
        ("read", {"file_path": "\ud800"}),
        ("read", {"file_path": "a", "offset": 0.5}),
    ]
    for tool, args in wrong:
        assert session.call(tool, args).code == "INVALID_ARGUMENTS", args


def test_a_fork_knows_what_its_parent_has_seen(start: Start, workspace: Path) -> None:
    (workspace / "a").write_text("one\n")
    session = start()
    assert session.call("read", {"file_path": "a"}).ok
    with session.fork("child") as child:
        edit = {"file_path": "a", "old_string": "one", "new_string": "two"}
        assert child.call("edit", edit).ok
    assert session.call("edit", {**edit, "new_string": "three"}).code == "FS_STALE_VERSION"
