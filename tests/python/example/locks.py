"""A session over a toolbox with another gate, named by its component.

    python example/locks.py python-gate
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from dsh_fs import Options, Session, Texts
from dsh_fs.provider import Ground, Roots, Versions

EDIT = {"old_string": "one", "new_string": "two"}

CALLS: list[tuple[str, str, dict[str, Any]]] = [
    ("create", "Cargo.lock", {"content": "one\n"}),
    ("read", "Cargo.lock", {}),
    ("edit", "Cargo.lock", EDIT),
    ("write", "Cargo.lock", {"content": "two\n"}),
    ("edit", "a.txt", EDIT),
    ("read", "a.txt", {}),
    ("edit", "a.txt", EDIT),
]


def main(component: str) -> None:
    with tempfile.TemporaryDirectory() as workspace:
        Path(workspace, "a.txt").write_text("one\n")
        ground = Ground(roots=Roots(workspace), texts=Texts(), versions=Versions())
        options = Options(id="example", cwd=workspace, root=workspace, component=component)
        with Session(ground, options) as session:
            for tool, name, args in CALLS:
                answer = session.call(tool.replace("create", "write"), {"file_path": name, **args})
                print(f"{tool} {name}: {answer.code or 'ok'}")
                if not answer.ok:
                    print(answer.text, file=sys.stderr)
        assert Path(workspace, "Cargo.lock").read_text() == "one\n"
        assert Path(workspace, "a.txt").read_text() == "two\n"


if __name__ == "__main__":
    main(sys.argv[1])
