"""One call a line in, one answer a line out."""

from __future__ import annotations

import json
import sys
import traceback
from typing import Any

from dsh_fs import Gate, Refused, Texts

from .decisions import decisions
from .rules import rules
from .sessions import Sessions
from .values import Functions, encode

HELLO = {
    "name": "python",
    "speaks": ["observation", "sandbox", "text", "tools", "open-gate", "chain-gate"],
    "lacks": ["deny-read"],
}


def main() -> None:
    texts = Texts()
    functions: Functions = {
        "hello": lambda _: HELLO,
        **decisions(Gate()),
        **rules(texts),
        **Sessions(texts).functions(),
    }
    for line in sys.stdin.buffer:
        call = json.loads(line)
        print(json.dumps(answer(functions, call["call"], call["args"])), flush=True)


def answer(functions: Functions, call: str, args: dict[str, Any]) -> dict[str, Any]:
    """The answer to one call; what goes wrong here is told as an error."""
    run = functions.get(call)
    if run is None:
        return {"error": "there is no such function"}
    try:
        return {"ok": encode(run(args))}
    except Refused as refused:
        return {"refused": encode(refused.value)}
    except Exception:
        return {"error": traceback.format_exc()}


main()
