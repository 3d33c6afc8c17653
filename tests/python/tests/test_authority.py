"""Permissions, as a component could try to stretch them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from dsh_fs.provider import Authority, Files, Ground
from dsh_fs.provider.failure import Failure
from dsh_fs.values import ExecutionPolicy, SandboxMode, Target, WriteGuard

WIDE: SandboxMode = "danger-full-access"
CREATE = WriteGuard("create-if-absent")


@pytest.fixture
def authority(ground: Ground, workspace: Path) -> Authority:
    made = Authority(ground, str(workspace), "workspace-write", "test", lambda _: "allowed-once")
    made.running = "write"
    return made


def question(path: Path, tool: str = "write") -> SimpleNamespace:
    return SimpleNamespace(tool=tool, key=str(path), mode=WIDE, justification="why")


def opened(authority: Authority, workspace: Path, grant: str | None, mode: SandboxMode = WIDE) -> Files:
    return authority.open(ExecutionPolicy(mode, str(workspace), None), grant)


def write(files: Files, path: Path) -> None:
    files.write_text(Target(str(path), str(path)), "x", CREATE, set())


def denied(work: object, *args: object) -> None:
    with pytest.raises(Failure) as failed:
        work(*args)  # type: ignore[operator]
    assert failed.value.error.code == "sandbox-denied"


def test_nothing_is_opened_above_the_ceiling(authority: Authority, workspace: Path) -> None:
    opened(authority, workspace, None, "workspace-write")
    denied(opened, authority, workspace, None)
    denied(opened, authority, workspace, "forged")
    denied(opened, authority, Path("/"), None, "workspace-write")


def test_a_permission_is_used_up(authority: Authority, workspace: Path, outside: Path) -> None:
    """Seen red with `get` for `pop` in `_redeem`."""
    grant = authority.ask(question(outside / "a")).payload
    opened(authority, workspace, grant)
    denied(opened, authority, workspace, grant)


def test_a_permission_ends_with_its_call(authority: Authority, workspace: Path, outside: Path) -> None:
    """Seen red without `clear` in `end_call`."""
    grant = authority.ask(question(outside / "a")).payload
    authority.end_call()
    denied(opened, authority, workspace, grant)


def test_a_permission_is_for_one_tool_and_mode(authority: Authority, workspace: Path, outside: Path) -> None:
    grant = authority.ask(question(outside / "a")).payload
    denied(opened, authority, workspace, grant, "workspace-write")
    grant = authority.ask(question(outside / "a")).payload
    authority.running = "edit"
    denied(opened, authority, workspace, grant)
    assert authority.ask(question(outside / "a")).tag == "unavailable"


def test_a_handle_is_good_for_one_mutation_of_one_file(
    authority: Authority, workspace: Path, outside: Path
) -> None:
    """Seen red without the comparison with `only` in `_admit` of files.py."""
    files = opened(authority, workspace, authority.ask(question(outside / "a")).payload)
    denied(write, files, outside / "b")
    write(files, outside / "a")
    (outside / "a").unlink()
    denied(write, files, outside / "a")


def test_nobody_is_asked_about_what_is_not_canonical(authority: Authority, outside: Path) -> None:
    (outside / "link").symlink_to("a")
    for path in [outside / "link", Path("/proc/self/root/etc/x"), Path("relative")]:
        assert authority.ask(question(path)).tag == "unavailable", path
