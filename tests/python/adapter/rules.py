"""The functions of `text`."""

from __future__ import annotations

from dsh_fs import Texts
from dsh_fs.values import Edit, ReadWindow

from .values import Functions, record


def rules(texts: Texts) -> Functions:
    """Everything that the rules for text answer."""
    return {
        "text.apply-edit": lambda args: texts.apply_edit(args["content"], record(Edit, args["edit"])),
        "text.show": lambda args: texts.show(
            args["content"], args["version"], record(ReadWindow, args["window"])
        ),
    }
