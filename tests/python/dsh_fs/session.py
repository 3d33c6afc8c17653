"""One agent: the tools over a provider, called by name and JSON."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from .answer import value
from .arguments import Misshapen, arguments
from .components import MOST_FUEL, Broken, Instance
from .imports import ImportFailed, imports
from .provider.authority import Authority, Person
from .provider.files import Ground
from .provider.resolve import resolve
from .values import ExecutionPolicy, ModeEvent, SandboxMode, Seed
from .wit import Refused, Value, lift


@dataclass(frozen=True)
class Limits(Value):
    """The limits of a read."""

    lines: int = 2_000
    bytes: int = 51_200
    line_chars: int = 2_000


@dataclass(frozen=True)
class Options:
    """Everything that a session starts from."""

    id: str | None
    cwd: str | None
    root: str
    mode: SandboxMode = "workspace-write"
    #: Whether the mode is enforced at all.
    confined: bool = True
    limits: Limits = field(default_factory=Limits)
    #: Who can be asked; nobody where None.
    person: Person | None = None
    #: The toolbox: the one over the gate that ships, or another one by its name.
    component: str = "dsh-fs"
    #: What one call may use, about one unit an instruction; a call that needs more ends it.
    fuel: int = MOST_FUEL


@dataclass(frozen=True)
class _Config(Value):
    session_id: str | None
    cwd: str | None
    default_mode: SandboxMode
    configured_root: str
    confined: bool
    approver: bool
    limits: Limits
    report_texts: bool
    report_hunks: bool
    seed: Seed
    ledger_capacity: int


@dataclass(frozen=True)
class Answer:
    """What a model reads, and the same as values; the code of a failure."""

    text: str
    value: Any = None
    code: str | None = None

    @property
    def ok(self) -> bool:
        """Whether the tool did what it was asked for."""
        return self.code is None


class Session:
    """One agent with its tools, its memory, and what it may do. Close it, or use `with`."""

    def __init__(self, ground: Ground, options: Options) -> None:
        self._ground = ground
        self._options = options
        mode = options.mode if options.confined else "danger-full-access"
        root = options.root if options.cwd is None else options.cwd
        self._authority = Authority(ground, root, mode, options.id, options.person)
        self._instance = Instance(options.component, imports(self._authority), options.fuel)
        config = _Config(
            session_id=options.id,
            cwd=options.cwd,
            default_mode=mode,
            configured_root=options.root,
            confined=options.confined,
            approver=options.person is not None,
            limits=options.limits,
            report_texts=True,
            report_hunks=True,
            seed=Seed(secrets.randbits(64), secrets.randbits(64)),
            ledger_capacity=0,
        )
        self._component = self._instance.call("tools", "[constructor]session", config)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the session, and forgets what it has seen."""
        self._instance.drop(self._component)

    def call(self, tool: str, args: Any) -> Answer:
        """Runs a tool by name: read, write, edit or list.

        Whatever a person's callback raises comes out here, and ends the session.
        """
        self._authority.running = tool
        try:
            return self._run(tool, args)
        except Misshapen as misshapen:
            return Answer(f"Error: {misshapen}", code="INVALID_ARGUMENTS")
        except Broken as broken:
            text = f"Error: the component broke, and this session has ended: {broken}"
            return Answer(text, code="COMPONENT_TRAPPED")
        except ImportFailed as failed:
            raise (failed.__cause__ or failed) from None
        finally:
            self._authority.end_call()

    def set_mode(self, mode: SandboxMode, source: Literal["user", "delegation"] = "user") -> None:
        """A person, or the embedder for one, changes the mode."""
        if self._options.confined:
            self._authority.ceiling = mode
        self._method("mode-changed", ModeEvent(mode, source))

    def policy(self) -> ExecutionPolicy:
        """The policy of a call without escalation, with its root in canonical spelling."""
        policy = lift(ExecutionPolicy, self._method("policy"))
        return replace(policy, workspace_root=resolve(policy.workspace_root, "/").key)

    def policy_text(self) -> str:
        """The sentence that describes the policy to a model."""
        return str(self._method("policy-text"))

    def snapshot(self) -> list[str]:
        """What was seen, as pages of text."""
        pages: list[str] = []
        while (page := self._method("snapshot", len(pages))) is not None:
            pages.append(page)
        return pages

    def restore(self, pages: list[str]) -> None:
        """Takes a snapshot in; a page that is none is refused with a sentence (`Refused`)."""
        for page in pages:
            refused = self._method("restore", page)
            if refused is not None:
                raise Refused(refused)

    def fork(self, id: str) -> Session:
        """A session for a sub-agent: what was seen and the mode, never permissions."""
        child = Session(self._ground, replace(self._options, id=id))
        child.restore(self.snapshot())
        if self._options.confined:
            child.set_mode(self._authority.ceiling, "delegation")
        return child

    def _run(self, tool: str, args: Any) -> Answer:
        answer = self._method(tool, arguments(tool, args))
        payload = answer.payload
        if answer.tag == "ok":
            return Answer(payload.text, value(payload))
        screaming = payload.kind.payload.code.upper().replace("-", "_")
        code = f"FS_{screaming}" if payload.kind.tag == "file" else screaming
        return Answer(payload.text, code=code)

    def _method(self, name: str, *args: Any) -> Any:
        return self._instance.call("tools", f"[method]session.{name}", self._component, *args)
