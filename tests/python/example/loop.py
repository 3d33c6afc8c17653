"""An agent loop in one page: a model (here a script of one) calls tools, and reads answers.

    python example/loop.py
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from dsh_fs import Options, Session, Texts
from dsh_fs.provider import Asked, Decision, Ground, Roots, Versions

DECISIONS: list[Decision] = ["allowed-once", "rejected"]


def person(question: Asked) -> Decision:
    """A person who says yes once and then no."""
    print(f"  a person is asked about {question.path}: {question.justification}")
    return DECISIONS.pop(0)


def script(outside: str) -> list[tuple[str, dict[str, Any]]]:
    """What the model does."""
    wider = {"sandbox_permissions": "danger-full-access", "justification": "a copy beside the workspace"}
    edit = {"file_path": "greeting.txt", "old_string": "wrold", "new_string": "world"}
    return [
        ("edit", edit),
        ("read", {"file_path": "greeting.txt"}),
        ("edit", edit),
        ("write", {"file_path": ".git/hooks/pre-commit", "content": "#!/bin/sh\n"}),
        ("write", {"file_path": outside, "content": "copied\n"}),
        ("write", {"file_path": outside, "content": "copied\n", **wider}),
        ("list", {}),
    ]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder, "workspace")
        workspace.mkdir()
        greeting = workspace / "greeting.txt"
        greeting.write_text("Hello, wrold!\n")
        # What is granted: one directory, and somebody to ask.
        roots = Roots(str(workspace), protected=[".git/hooks"])
        ground = Ground(roots=roots, texts=Texts(), versions=Versions())
        options = Options(id="example", cwd=str(workspace), root=str(workspace), person=person)
        with Session(ground, options) as session:
            print(session.policy_text())
            for tool, args in script(f"{folder}/outside.txt"):
                answer = session.call(tool, args)
                told = answer.text.replace("\n", "\n  ")
                print(f"{tool} {json.dumps(args)}\n  {answer.code or 'ok'}: {told}")
        assert greeting.read_text() == "Hello, world!\n"


if __name__ == "__main__":
    main()
