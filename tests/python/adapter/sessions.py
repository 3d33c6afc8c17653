"""Sessions over the provider, and calls of their tools."""

from __future__ import annotations

import tempfile
from typing import Any

from dsh_fs import Limits, Options, Refused, Session, Texts
from dsh_fs.provider import Asked, Decision, Ground, Roots, Versions

from .values import Functions, record


class Sessions:
    """The open sessions by number, and what persons were asked."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._versions = Versions()
        self._aborted = False
        self._open: list[Session] = []
        self._questions: list[Asked] = []

    def functions(self) -> Functions:
        """Everything that is asked about sessions."""

        def of(args: dict[str, Any]) -> Session:
            number: int = args["session"]
            return self._open[number]

        return {
            "tools.open": self._start,
            "tools.call": lambda args: self._call(of(args), args),
            "tools.set-mode": lambda args: of(args).set_mode(args["mode"]),
            "tools.policy": lambda args: of(args).policy(),
            "tools.policy-text": lambda args: of(args).policy_text(),
            "tools.snapshot": lambda args: of(args).snapshot(),
            "tools.restore": lambda args: of(args).restore(args["pages"]),
            "tools.fork": lambda args: self._kept(of(args).fork(args["name"])),
            "tools.questions": lambda _: [_told(asked) for asked in self._questions],
            "tools.reset": lambda _: self._reset(),
        }

    def _start(self, given: dict[str, Any]) -> int:
        cwd: str | None = given["cwd"]
        temporary = ["/tmp", tempfile.gettempdir()] if given["temporary-roots"] else []
        workspace = given["root"] if cwd is None else cwd
        ground = Ground(
            roots=Roots(workspace, [*temporary, *given["extra-roots"]], given["protected"]),
            texts=self._texts,
            versions=self._versions,
            guarded=given["guarded"],
            aborted=lambda: self._aborted,
        )
        options = Options(
            id=given["session"],
            cwd=cwd,
            root=given["root"],
            mode=given["mode"],
            confined=given["confined"],
            limits=record(Limits, given["limits"]),
            person=self._person(given["approval"]),
            component="dsh-fs" if given["gate"] == "gate" else given["gate"],
        )
        return self._kept(Session(ground, options))

    def _kept(self, session: Session) -> int:
        self._open.append(session)
        return len(self._open) - 1

    def _call(self, session: Session, args: dict[str, Any]) -> dict[str, Any]:
        self._aborted = args["abort"]
        answer = session.call(args["tool"], args["args"])
        self._aborted = False
        if not answer.ok:
            raise Refused({"code": answer.code, "text": answer.text})
        return {"text": answer.text, "value": answer.value}

    def _person(self, decision: Decision | None) -> Any:
        def ask(asked: Asked) -> Decision:
            self._questions.append(asked)
            return decision or "unavailable"

        return None if decision is None else ask

    def _reset(self) -> None:
        for session in self._open:
            session.close()
        self._open = []
        self._questions = []


def _told(asked: Asked) -> dict[str, Any]:
    return {
        "toolName": asked.tool,
        "path": asked.path,
        "mode": asked.mode,
        "justification": asked.justification,
        "session": asked.session,
    }
