"""Scenarios for `dsh-fs mcp`, played by the official client library over stdio.

    python client.py SCENARIO PROGRAM FOLDER

FOLDER is empty at first and outside every temporary directory; the workspace is made in
it. A scenario that fails raises, and the exit code says so.
"""

import asyncio
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys

import anyio
import mcp.types as types
from mcp import Client, ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

PROGRAM = sys.argv[2]
BASE = pathlib.Path(sys.argv[3])
WORKSPACE = BASE / "ws"
OUTSIDE = BASE / "outside"
WIDER = {"sandbox_permissions": "danger-full-access", "justification": "the report belongs there"}


def parameters(*flags, mode="workspace-write"):
    args = ["mcp", "--workspace", str(WORKSPACE), "--mode", mode, "--no-temp-roots", *flags]
    return StdioServerParameters(command=PROGRAM, args=args, env={"XDG_STATE_HOME": str(BASE / "state")})


@contextlib.asynccontextmanager
async def server(*flags, mode="workspace-write", **callbacks):
    async with stdio_client(parameters(*flags, mode=mode)) as (read, write):
        async with ClientSession(read, write, **callbacks) as session:
            session.greeting = await session.initialize()
            yield session


async def call(session, tool, **args):
    return await session.call_tool(tool, args)


def code(result):
    """The code of a failure, or `ok`; text and value have to agree."""
    assert result.content[0].type == "text"
    assert isinstance(result.structured_content, dict), result
    assert result.is_error == ("code" in result.structured_content), result
    return result.structured_content.get("code", "ok")


async def codes(session, *calls):
    return [code(await call(session, tool, **args)) for tool, args in calls]


def equal(left, right):
    assert left == right, f"{left!r} is not {right!r}"


def answering(action, content=None, asked=None, after=0):
    """A person who gives this answer, and remembers what was asked."""

    async def answer(_context, question):
        if asked is not None:
            asked.append(question)
        await anyio.sleep(after)
        return types.ElicitResult(action=action, content=content)

    return answer


def program(*args):
    """What the program says as JSON, in a process beside the server."""
    state = {"XDG_STATE_HOME": str(BASE / "state")}
    done = subprocess.run([PROGRAM, *args, "--json"], env=state, capture_output=True, text=True)
    assert done.returncode == 0, done
    return json.loads(done.stdout)


async def wider_modes(session):
    """The modes that `write` may ask for, as it is described now."""
    listed = (await session.list_tools()).tools
    (write,) = [tool for tool in listed if tool.name == "write"]
    return write.input_schema["properties"].get("sandbox_permissions", {}).get("enum")


def naming(folders):
    async def roots(_context):
        return types.ListRootsResult(roots=[types.Root(uri=folder.as_uri()) for folder in folders])

    return roots


async def greeting():
    async with server() as session:
        equal(session.greeting.server_info.name, "dsh-fs")
        assert session.greeting.capabilities.tools.list_changed
        assert "FS_NOT_OBSERVED" in session.greeting.instructions
        assert f'"workspace-write"' in session.greeting.instructions
        assert str(WORKSPACE) in session.greeting.instructions
    async with server(mode="read-only") as session:
        assert "every write or edit is denied" in session.greeting.instructions


async def newest_client():
    """The client that tries a later protocol first finds the one that is spoken."""
    async with Client(parameters()) as client:
        equal(code(await client.call_tool("read", {"file_path": "a.txt"})), "ok")


async def tools():
    """Escalation is offered for the modes strictly wider than now, where somebody can be asked."""
    wider = {
        "read-only": ["workspace-write", "danger-full-access"],
        "workspace-write": ["danger-full-access"],
        "danger-full-access": None,
    }
    hints = {
        "read": (True, None, None, False),
        "list": (True, None, None, False),
        "write": (False, True, True, False),
        "edit": (False, True, False, False),
        "multi_edit": (False, True, False, False),
        "undo": (False, True, False, False),
        "bash": (False, True, False, True),
    }
    for mode, modes in wider.items():
        for asked in (True, False):
            person = {"elicitation_callback": answering("decline")} if asked else {}
            async with server(mode=mode, **person) as session:
                listed = (await session.list_tools()).tools
            equal({tool.name for tool in listed}, set(hints))
            parameters_of = {tool.name: tool.input_schema for tool in listed}
            for name, properties, required in [
                ("read", "file_path offset limit column", "file_path"),
                ("write", "file_path content", "file_path content"),
                ("edit", "file_path old_string new_string replace_all", "file_path old_string new_string"),
            ]:
                given = set(parameters_of[name]["properties"]) - {"sandbox_permissions", "justification"}
                equal(given, set(properties.split()))
                equal(set(parameters_of[name]["required"]), set(required.split()))
            for tool in listed:
                given = tool.annotations
                equal(
                    (given.read_only_hint, given.destructive_hint, given.idempotent_hint, given.open_world_hint),
                    hints[tool.name],
                )
                assert tool.description and tool.output_schema["type"] == "object"
                properties = tool.input_schema["properties"]
                offered = properties.get("sandbox_permissions", {}).get("enum")
                equal(offered, modes if asked and not given.read_only_hint else None)
                equal("justification" in properties, offered is not None)


async def flow():
    """Read before change; the codes; arguments that are wrong; a tool that is unknown."""
    (WORKSPACE / "latin").write_bytes(b"\xe9")
    edit = ("edit", {"file_path": "a.txt", "old_string": "one", "new_string": "two"})
    async with server() as session:
        got = await codes(
            session,
            edit,
            ("write", {"file_path": "a.txt", "content": "x"}),
            ("read", {"file_path": "a.txt"}),
            edit,
            edit,
            ("undo", {}),
            ("undo", {}),
            ("write", {"file_path": "new/b.txt", "content": "b\n"}),
            ("write", {"file_path": str(OUTSIDE / "c.txt"), "content": "c"}),
            ("read", {"file_path": "missing"}),
            ("read", {"file_path": "latin"}),
            ("read", {"file_path": 7}),
            ("list", {"file_path": "a.txt"}),
            ("list", {}),
        )
        expected = "FS_NOT_OBSERVED FS_NOT_OBSERVED ok ok FS_EDIT_NOT_FOUND ok INVALID_ARGUMENTS"
        expected += " ok FS_SANDBOX_DENIED FS_NOT_FOUND FS_NOT_TEXT INVALID_ARGUMENTS FS_NOT_DIRECTORY ok"
        equal(got, expected.split())
        (WORKSPACE / "a.txt").write_text("changed outside\n")
        equal(await codes(session, edit), ["FS_STALE_VERSION"])
        seen = await call(session, "read", file_path="new/b.txt")
        equal(seen.structured_content["lines"], [{"number": 1, "text": "b"}])
        try:
            await session.call_tool("format_disk", {})
            raise AssertionError("an unknown tool was called")
        except mcp_error() as error:
            equal(error.error.code, -32602)
    equal((WORKSPACE / "new/b.txt").read_text(), "b\n")
    assert not (OUTSIDE / "c.txt").exists()


def mcp_error():
    import mcp

    return getattr(mcp, "MCPError", None) or mcp.McpError


async def elicitation():
    """Only the answer `once` lets a change through, and one change alone."""
    target = OUTSIDE / "report.txt"
    write = ("write", {"file_path": str(target), "content": "report\n", **WIDER})
    refusals = [
        ("decline", None),
        ("cancel", None),
        ("accept", {"answer": "no"}),
        ("accept", {}),
        ("accept", {"answer": "whatever"}),
    ]
    for action, content in refusals:
        asked = []
        async with server(elicitation_callback=answering(action, content, asked)) as session:
            equal(await codes(session, write), ["ESCALATION_REFUSED"])
        equal(len(asked), 1)
        assert not target.exists()
    asked = []
    async with server(elicitation_callback=answering("accept", {"answer": "once"}, asked)) as session:
        equal(await codes(session, write), ["ok"])
        plain = ("write", {"file_path": str(target), "content": "more"})
        equal(await codes(session, plain), ["FS_SANDBOX_DENIED"])
    equal(target.read_text(), "report\n")
    question = asked[0]
    for part in ("write", str(target), "danger-full-access", "the report belongs there"):
        assert part in question.message, question.message
    equal(question.requested_schema["required"], ["answer"])
    assert {"once", "no"} <= set(question.requested_schema["properties"]["answer"]["enum"])


async def nobody_to_ask():
    """A client without elicitation is not asked, and nothing is changed."""
    target = OUTSIDE / "report.txt"
    write = ("write", {"file_path": str(target), "content": "report\n", **WIDER})
    async with server() as session:
        equal(await codes(session, write), ["ESCALATION_REFUSED"])
    asked = []
    person = answering("accept", {"answer": "once"}, asked)
    async with server("--approve", "never", elicitation_callback=person) as session:
        equal(await codes(session, write), ["ESCALATION_REFUSED"])
    equal(asked, [])
    assert not target.exists()


async def cancelled_question():
    """A call that is withdrawn while its question is open changes nothing, and the next one runs."""
    target = OUTSIDE / "report.txt"
    scope = anyio.CancelScope()

    async def too_late(_context, _question):
        scope.cancel()
        await anyio.sleep(2)
        return types.ElicitResult(action="accept", content={"answer": "once"})

    async with server(elicitation_callback=too_late) as session:
        with scope:
            await call(session, "write", file_path=str(target), content="x", **WIDER)
            raise AssertionError("the call was answered")
        with anyio.fail_after(60):
            equal(await codes(session, ("write", {"file_path": "next.txt", "content": "n"})), ["ok"])
        await anyio.sleep(3)
    assert not target.exists()


def large(size):
    path = WORKSPACE / "large.txt"
    line = b"0123456789 abcdefghijklmnopqrstuvwxyz, again and again until the megabyte is full\n"
    with open(path, "wb") as file:
        block = line * (1024 * 1024 // len(line))
        while file.tell() < size:
            file.write(block)
    return path


async def cancelled_read():
    """A read of 200 MB that is withdrawn stops, and the session goes on."""
    large(200_000_000)
    arguments = {"file_path": "large.txt", "limit": 1}
    async with server() as session:
        used = cpu_seconds()
        equal(code(await session.call_tool("read", arguments)), "ok")
        whole = cpu_seconds() - used
        with anyio.CancelScope() as scope:

            async def give_up(_done, _total, _message):
                scope.cancel()

            await session.call_tool("read", arguments, progress_callback=give_up)
            raise AssertionError("the read was answered")
        used = cpu_seconds()
        equal(await codes(session, ("read", {"file_path": "a.txt"})), ["ok"])
        # What the server uses from now on says whether the read goes on.
        await anyio.sleep(2 * whole + 1)
        rest = cpu_seconds() - used
        assert rest < whole / 2, f"it went on: {rest} of {whole} seconds"


def cpu_seconds():
    """The processor time that this program's children have used so far."""
    total = 0
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (process / "stat").read_text().rsplit(")", 1)[1].split()
            if int(fields[1]) == os.getpid():
                total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


async def progress():
    """A long read tells how far it is, always further than before; a call without a token tells nothing."""
    size = large(200_000_000).stat().st_size
    told = []

    async def heard(done, total, _message):
        told.append((done, total))

    async with server() as session:
        arguments = {"file_path": "large.txt", "limit": 1}
        equal(code(await session.call_tool("read", arguments, progress_callback=heard)), "ok")
    assert len(told) >= 2, told
    dones = [done for done, _ in told]
    assert all(before < after for before, after in zip(dones, dones[1:])), told
    assert all(0 < done <= size and total == size for done, total in told), told


async def parallel():
    """Fifty reads at once, and edits of one file, none of which is lost."""
    for number in range(50):
        (WORKSPACE / f"{number}.txt").write_text(f"file {number}\n")
    (WORKSPACE / "count.txt").write_text("".join(f"<{number}>\n" for number in range(20)))
    async with server() as session:
        equal(await codes(session, ("read", {"file_path": "count.txt"})), ["ok"])
        read = [call(session, "read", file_path=f"{number}.txt") for number in range(50)]
        edit = [
            call(session, "edit", file_path="count.txt", old_string=f"<{number}>", new_string=f"[{number}]")
            for number in range(20)
        ]
        results = await asyncio.gather(*read, *edit)
    for number, result in enumerate(results[:50]):
        equal(result.structured_content["lines"][0]["text"], f"file {number}")
    equal([code(result) for result in results[50:]], ["ok"] * 20)
    equal((WORKSPACE / "count.txt").read_text(), "".join(f"[{number}]\n" for number in range(20)))


async def several_files():
    """Several edits are made as one and taken back as one; where one fails, none is made."""
    for name in "abc":
        (WORKSPACE / name).write_text("one\n")
    edit = lambda name, old, new: {"file_path": name, "old_string": old, "new_string": new}
    contents = lambda: [(WORKSPACE / name).read_text() for name in "abc"]
    async with server() as session:
        both = {"edits": [edit("a", "one", "two"), edit("b", "one", "two"), edit("a", "two", "three")]}
        equal(await codes(session, ("multi_edit", both)), ["FS_NOT_OBSERVED"])
        equal(await codes(session, *[("read", {"file_path": name}) for name in "abc"]), ["ok"] * 3)
        failing = {"edits": [edit("a", "one", "two"), edit("b", "missing", "two"), edit("c", "one", "two")]}
        equal(await codes(session, ("multi_edit", failing)), ["FS_EDIT_NOT_FOUND"])
        equal(contents(), ["one\n"] * 3)
        equal(await codes(session, ("multi_edit", {"edits": []})), ["INVALID_ARGUMENTS"])
        # The library holds each answer to the schema of its tool.
        made = (await call(session, "multi_edit", **both)).structured_content
        equal([change["path"].rsplit("/")[-1] for change in made["changes"]], ["a", "b", "a"])
        equal(made["survivesACrash"], True)
        equal(contents(), ["three\n", "two\n", "one\n"])
        undone = await call(session, "undo")
        equal({change["path"].rsplit("/")[-1] for change in undone.structured_content["changes"]}, {"a", "b"})
        for name in "ab":
            assert str(WORKSPACE / name) in undone.content[0].text, undone
        equal(contents(), ["one\n"] * 3)
        # Its files are as they were seen: no read is needed, and nothing more is taken back.
        equal(await codes(session, ("edit", edit("b", "one", "two")), ("undo", {}), ("undo", {})), ["ok", "ok", "INVALID_ARGUMENTS"])


async def commands():
    """Commands may change what the file tools may; a person may allow one of them more."""
    target = OUTSIDE / "made"
    touch = f"echo x > '{target}'"
    asked = []
    person = answering("accept", {"answer": "once"}, asked)
    async with server(elicitation_callback=person) as session:
        inside = await call(session, "bash", command="echo hi > in; cat in; exit 3")
        if code(inside) == "SANDBOX_UNAVAILABLE":
            print(f"SKIPPED commands: {inside.content[0].text}")
            return
        equal(inside.content[0].text, "hi\n[exit code 3]")
        equal(inside.structured_content["exitCode"], 3)
        equal((WORKSPACE / "in").read_text(), "hi\n")
        denied = await call(session, "bash", command=touch)
        equal(code(denied), "FS_SANDBOX_DENIED")
        assert "[sandbox: file access denied under workspace-write mode]" in denied.content[0].text, denied
        assert "sandbox_permissions" in denied.content[0].text, denied
        assert not target.exists()
        equal(asked, [])
        equal(code(await call(session, "bash", command=touch, **WIDER)), "ok")
        equal((target.read_text(), len(asked)), ("x\n", 1))
        assert touch in asked[0].message, asked[0].message
        target.unlink()
        equal(code(await call(session, "bash", command=touch)), "FS_SANDBOX_DENIED")
        # What a command changes is stale for the file tools.
        equal(await codes(session, ("read", {"file_path": "a.txt"}), ("bash", {"command": "echo two > a.txt"})), ["ok"] * 2)
        edit = ("edit", {"file_path": "a.txt", "old_string": "one", "new_string": "three"})
        equal(await codes(session, edit), ["FS_STALE_VERSION"])
    async with server(elicitation_callback=answering("decline")) as session:
        equal(code(await call(session, "bash", command=touch, **WIDER)), "ESCALATION_REFUSED")
    assert not target.exists()


async def remembered():
    """An answer for the session or the workspace is asked for once, also by a later server, until it is revoked."""
    for answer in ("session", "workspace"):
        target = OUTSIDE / f"{answer}.txt"
        asked = []
        person = {"elicitation_callback": answering("accept", {"answer": answer}, asked)}
        write = lambda content: ("write", {"file_path": str(target), "content": content, **WIDER})
        async with server("--session", "s", **person) as session:
            equal(await codes(session, write("1"), write("2")), ["ok", "ok"])
            equal(len(asked), 1)
            (grant,) = program("grant", "list")["grants"]
            equal((grant["scope"], grant["tool"], grant["key"]), (answer, "write", str(target)))
            equal((grant["mode"], grant["used"]), ("danger-full-access", 1))
        async with server("--session", "s", **person) as session:
            equal(await codes(session, write("3")), ["ok"])
            equal(len(asked), 1)
            other = OUTSIDE / f"{answer}-other.txt"
            equal(await codes(session, ("write", {"file_path": str(other), "content": "x", **WIDER})), ["ok"])
            equal(len(asked), 2)
            for grant in program("grant", "list")["grants"]:
                equal(program("grant", "revoke", str(grant["id"])), {"revoked": grant["id"]})
            equal(await codes(session, write("4")), ["ok"])
            equal(len(asked), 3)
        (grant,) = program("grant", "list")["grants"]
        audit = BASE / f"{answer}-audit"
        program("grant", "revoke", str(grant["id"]), "--audit", str(audit))
        told = json.loads(audit.read_text())
        equal((told["event"], told["key"], told["scope"]), ("grant-revoked", str(target), answer))
        equal(told.get("session"), "s" if answer == "session" else None)
        equal(target.read_text(), "4")


async def remembered_for_the_server():
    """Without a session that lasts an answer holds until the server ends, and the form says so."""
    asked = []
    person = {"elicitation_callback": answering("accept", {"answer": "workspace"}, asked)}
    for round in (1, 2):
        target = OUTSIDE / f"{round}.txt"
        write = lambda content: ("write", {"file_path": str(target), "content": content, **WIDER})
        async with server(**person) as session:
            equal(await codes(session, write("1"), write("2")), ["ok", "ok"])
        equal(len(asked), round)
    field = asked[0].requested_schema["properties"]["answer"]
    names = dict(zip(field["enum"], field["enumNames"]))
    assert names["workspace"].endswith("until the server ends"), names


async def pending_question():
    """Reads go on while a person thinks about a change."""
    for number in range(20):
        (WORKSPACE / f"{number}.txt").write_text(f"file {number}\n")
    target = OUTSIDE / "report.txt"
    opened, decided = anyio.Event(), anyio.Event()
    written = []

    async def thinking(_context, _question):
        opened.set()
        await decided.wait()
        return types.ElicitResult(action="accept", content={"answer": "once"})

    async with server(elicitation_callback=thinking) as session:

        async def write():
            written.append(code(await call(session, "write", file_path=str(target), content="x", **WIDER)))

        async with anyio.create_task_group() as group:
            group.start_soon(write)
            with anyio.fail_after(60):
                await opened.wait()
                read = [call(session, "read", file_path=f"{number}.txt") for number in range(20)]
                results = await asyncio.gather(*read)
            equal([code(result) for result in results], ["ok"] * 20)
            equal((written, target.exists()), ([], False))
            decided.set()
        equal((written, target.exists()), (["ok"], True))
        # What was read meanwhile counts as seen.
        edit = ("edit", {"file_path": "7.txt", "old_string": "file", "new_string": "File"})
        equal(await codes(session, edit), ["ok"])


async def mode_from_outside():
    """A mode that a person gives the session elsewhere counts from the next call on, and the tools are told anew."""
    heard = []

    async def hear(message):
        heard.append(message)

    async def told():
        with anyio.fail_after(60):
            while not any(isinstance(message, types.ToolListChangedNotification) for message in heard):
                await anyio.sleep(0.02)
        heard.clear()

    person = {"elicitation_callback": answering("decline"), "message_handler": hear}
    write = ("write", {"file_path": "b.txt", "content": "x"})
    async with server("--session", "s", **person) as session:
        equal(await wider_modes(session), ["danger-full-access"])
        program("session", "mode", "s", "read-only")
        equal(await codes(session, write), ["FS_SANDBOX_DENIED"])
        await told()
        equal(await wider_modes(session), ["workspace-write", "danger-full-access"])
        program("session", "mode", "s", "danger-full-access")
        equal(await codes(session, write), ["ok"])
        await told()
        equal(await wider_modes(session), None)
        equal(await codes(session, ("read", {"file_path": "b.txt"})), ["ok"])
        await anyio.sleep(0.2)
        equal(heard, [])


async def configured():
    """The file of a deployment, the database and the audit are those that the command line names."""
    folders = {"etc": 0o755, "own": 0o700}
    for name, mode in folders.items():
        (BASE / name).mkdir()
        (BASE / name).chmod(mode)
    policy = BASE / "etc" / "policy.toml"
    policy.write_text(f'mode = "workspace-write"\nworkspace = "{WORKSPACE}"\ndeny-read = ["secret"]\n')
    policy.chmod(0o644)
    (WORKSPACE / "secret").write_text("s")
    database, audit = BASE / "own" / "kept.db", BASE / "own" / "audit"
    flags = ["--config", str(policy), "--state", str(database), "--audit", str(audit)]
    async with server(*flags, "--session", "s") as session:
        read = lambda name: ("read", {"file_path": name})
        equal(await codes(session, read("secret"), read("a.txt")), ["FS_SANDBOX_DENIED", "ok"])
        edit = ("edit", {"file_path": "a.txt", "old_string": "one", "new_string": "two"})
        equal(await codes(session, edit), ["ok"])
    sessions = program("session", "list", "--state", str(database))["sessions"]
    equal([session["name"] for session in sessions], ["s"])
    assert not (BASE / "state" / "dsh-fs" / "state.db").exists()
    events = [json.loads(line) for line in audit.read_text().splitlines()]
    published = [event for event in events if event["event"] == "published"]
    equal([(event["session"], event["tool"], event["key"]) for event in published], [("s", "edit", str(WORKSPACE / "a.txt"))])
    # What the file does not allow, the command line cannot.
    wider = subprocess.run([PROGRAM, *parameters(*flags, mode="danger-full-access").args], stdin=subprocess.DEVNULL, capture_output=True)
    equal(wider.returncode, 6)


async def roots():
    """The roots of the client narrow what may be changed, also under full access and approval."""
    inner = WORKSPACE / "inner dir"
    inner.mkdir()
    write = lambda path, **more: ("write", {"file_path": str(path), "content": "x", **more})
    asked = []
    person = {"elicitation_callback": answering("accept", {"answer": "once"}, asked)}
    named = [inner]
    async with server(list_roots_callback=naming(named), **person) as session:
        got = await codes(session, write(inner / "a"), write(WORKSPACE / "b"), write(OUTSIDE / "c", **WIDER))
        equal((got[0], got[1]), ("ok", "FS_SANDBOX_DENIED"))
        assert got[2] in ("FS_SANDBOX_DENIED", "ESCALATION_REFUSED"), got
        equal(asked, [])
        denied = await call(session, "write", file_path=str(WORKSPACE / "b"), content="x")
        assert "roots" in denied.content[0].text, denied
        equal(await codes(session, ("read", {"file_path": "a.txt"})), ["ok"])
        # They may change, in both directions, and never reach beyond the workspace.
        named[:] = [WORKSPACE, OUTSIDE]
        await session.send_roots_list_changed()
        equal(
            await codes(session, write(WORKSPACE / "b"), write(OUTSIDE / "d")),
            ["ok", "FS_SANDBOX_DENIED"],
        )
        named[:] = []
        await session.send_roots_list_changed()
        equal(await codes(session, write(inner / "e"), write(WORKSPACE / "e")), ["FS_SANDBOX_DENIED"] * 2)
    async with server(mode="danger-full-access", list_roots_callback=naming([inner])) as session:
        equal(await codes(session, write(OUTSIDE / "f"), write(inner / "f")), ["FS_SANDBOX_DENIED", "ok"])
    async with server("--ignore-client-roots", list_roots_callback=naming([inner])) as session:
        equal(await codes(session, write(WORKSPACE / "g")), ["ok"])
    equal(sorted(path.name for path in OUTSIDE.iterdir()), [])


async def silent_about_roots():
    """A client that has roots and fails to name them changes nothing."""

    async def failing(_context):
        return types.ErrorData(code=-32603, message="not now")

    async with server(list_roots_callback=failing) as session:
        write = ("write", {"file_path": "b.txt", "content": "x"})
        equal(await codes(session, write, ("read", {"file_path": "a.txt"})), ["FS_SANDBOX_DENIED", "ok"])
    assert not (WORKSPACE / "b.txt").exists()


async def two_servers():
    """Two servers on one workspace and one database, each with its own session: what one
    changed is stale for the other, and of changes at the same time none is lost."""
    edit = lambda old, new: ("edit", {"file_path": "a.txt", "old_string": old, "new_string": new})
    read = ("read", {"file_path": "a.txt"})
    async with server("--session", "one") as one, server("--session", "two") as two:
        equal(await codes(one, read), ["ok"])
        equal(await codes(two, read, edit("one", "two")), ["ok", "ok"])
        equal(await codes(one, edit("one", "three")), ["FS_STALE_VERSION"])
        equal(await codes(one, read, edit("two", "three")), ["ok", "ok"])
        lines = 30
        (WORKSPACE / "both.txt").write_text("".join(f"<{number}>\n" for number in range(2 * lines)))

        async def replace_all_of(session, numbers):
            for number in numbers:
                while True:
                    old, new = f"<{number}>", f"[{number}]"
                    args = {"file_path": "both.txt", "old_string": old, "new_string": new}
                    await call(session, "read", file_path="both.txt")
                    got = code(await call(session, "edit", **args))
                    if got == "ok":
                        break
                    equal(got, "FS_STALE_VERSION")

        async def count_up(session, name, times):
            while times:
                shown = (await call(session, "read", file_path=name)).content[0].text
                count = int(shown.split("count=")[1].split(";")[0])
                old, new = f"count={count};", f"count={count + 1};"
                got = code(await call(session, "edit", file_path=name, old_string=old, new_string=new))
                # Where the other worker of the session has read on, the text is what is old.
                assert got in ("ok", "FS_STALE_VERSION", "FS_EDIT_NOT_FOUND"), got
                times -= got == "ok"

        async def look_around(session, times):
            for number in range(times):
                name = ("both.txt", *counters)[number % 3]
                equal(await codes(session, ("read", {"file_path": name}), ("list", {})), ["ok", "ok"])

        counters = ("first.txt", "second.txt")
        for name in counters:
            (WORKSPACE / name).write_text("count=0;\n")
        each = 15
        with anyio.fail_after(300):
            await asyncio.gather(
                replace_all_of(one, range(0, lines)),
                replace_all_of(two, range(lines, 2 * lines)),
                *(count_up(session, name, each) for session in (one, two) for name in counters),
                *(count_up(session, counters[0], each) for session in (one, two)),
                *(look_around(session, 20) for session in (one, two)),
            )
    equal((WORKSPACE / "first.txt").read_text(), f"count={4 * each};\n")
    equal((WORKSPACE / "second.txt").read_text(), f"count={2 * each};\n")
    names = sorted(session["name"] for session in program("session", "list")["sessions"])
    equal(names, ["one", "two"])
    equal((WORKSPACE / "both.txt").read_text(), "".join(f"[{number}]\n" for number in range(2 * lines)))
    equal((WORKSPACE / "a.txt").read_text(), "three\n")


async def killed():
    """A server that is killed in the middle of writing leaves the old file or the new one."""
    target = WORKSPACE / "large.txt"
    versions = {letter: letter * 20_000_000 for letter in "ab"}
    target.write_text(versions["a"])
    for delay in (0.05, 0.15, 0.3):
        with contextlib.suppress(Exception, BaseExceptionGroup):
            async with server() as session:
                await call(session, "read", file_path="large.txt", limit=1)
                process = child()

                async def kill_soon():
                    await anyio.sleep(delay)
                    os.kill(process, signal.SIGKILL)

                async with anyio.create_task_group() as group:
                    group.start_soon(kill_soon)
                    with anyio.move_on_after(10):
                        await call(session, "write", file_path="large.txt", content=versions["b"])
        assert target.read_text() in versions.values(), "a torn file"
    async with server() as session:
        equal(
            await codes(
                session,
                ("read", {"file_path": "large.txt", "limit": 1}),
                ("write", {"file_path": "large.txt", "content": "whole\n"}),
            ),
            ["ok", "ok"],
        )
    equal(sorted(path.name for path in WORKSPACE.iterdir()), ["a.txt", "large.txt"])


def child():
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (process / "stat").read_text().rsplit(")", 1)[1].split()
            if int(fields[1]) == os.getpid() and "mcp" in (process / "cmdline").read_text():
                return int(process.name)
    raise AssertionError("no server runs")


def main():
    WORKSPACE.mkdir()
    OUTSIDE.mkdir()
    (WORKSPACE / "a.txt").write_text("one\n")
    asyncio.run(globals()[sys.argv[1]]())


main()
