"""Guarded file access for agents: the components of dsh:fs under wasmtime.

`Session` is one agent with its tools; `Gate` and `Texts` are the decisions and the rules
for text alone. `dsh_fs.provider` has the files behind a session.
"""

from .components import Broken
from .gate import Gate, Ledger
from .session import Answer, Limits, Options, Session
from .texts import Texts
from .wit import Refused

__all__ = [
    "Answer",
    "Broken",
    "Gate",
    "Ledger",
    "Limits",
    "Options",
    "Refused",
    "Session",
    "Texts",
]
