"""The rules for text: what an edit does to a content, and what a window of it shows."""

from __future__ import annotations

from wasmtime.component import Variant

from .components import Instance
from .values import Ambiguity, Edit, Edited, EditRefusal, ReadWindow, TextWindow
from .wit import Refused, lift


class Texts:
    """The component `texts.wasm`; it imports nothing."""

    def __init__(self) -> None:
        self._instance = Instance("texts")

    def apply_edit(self, content: str, edit: Edit) -> Edited:
        """Replaces the one occurrence of a text, or all; `Refused` holds an `EditRefusal`."""
        answer = self._instance.call("text", "apply-edit", content, edit)
        if not isinstance(answer, Variant):
            return lift(Edited, answer)
        payload = answer.payload
        if answer.tag == "ambiguous":
            payload = lift(Ambiguity, payload)
        raise Refused(EditRefusal(answer.tag, payload))

    def show(self, content: str, version: str, window: ReadWindow) -> TextWindow:
        """A window of a content; one past the end has no lines."""
        return lift(TextWindow, self._instance.call("text", "show", content, version, window))
