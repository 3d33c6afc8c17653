"""The decisions: whether a file was seen, and what may be asked for."""

from __future__ import annotations

from typing import Any, Sequence

from wasmtime.component import Record, Variant

from .components import Instance
from .values import (
    Circumstances,
    EditGuard,
    Error,
    ExecutionPolicy,
    ModeEvent,
    PolicyInputs,
    Prior,
    SandboxMode,
    Seed,
    Target,
    WriteGuard,
)
from .wit import Refused, lift


class Gate:
    """A gate: the one that ships, or another one by its name. It imports nothing."""

    def __init__(self, name: str = "gate") -> None:
        self._instance = Instance(name)

    def decide_write(self, prior: Prior) -> WriteGuard:
        """What a write must demand."""
        return _write_guard(self._observation("decide-write", prior))

    def decide_edit(self, target: Target, prior: Prior) -> EditGuard:
        """What an edit must demand; `Refused` holds an `Error`."""
        return _edit_guard(self._observation("decide-edit", target, prior))

    def with_remedy(self, code: str, message: str) -> str:
        """The sentence that tells a model what to do about a failure."""
        return str(self._observation("with-remedy", code, message))

    def ledger(self, seed: Seed, capacity: int = 0) -> Ledger:
        """An empty memory of one owner; capacity 0 stands for the gate's own limit."""
        made = self._observation("[constructor]ledger", seed, capacity)
        return Ledger(self._instance, made)

    def resolve_policy(self, inputs: PolicyInputs) -> ExecutionPolicy:
        """The policy of one call."""
        return lift(ExecutionPolicy, self._sandbox("resolve-policy", inputs))

    def fold_mode_events(self, events: Sequence[ModeEvent]) -> SandboxMode | None:
        """The mode that events come to, oldest first."""
        folded: SandboxMode | None = self._sandbox("fold-mode-events", list(events))
        return folded

    def check_escalation(self, requested: str | None, justification: str | None) -> SandboxMode | None:
        """Checks the two escalation arguments; `Refused` holds a sentence."""
        answer: Variant = self._sandbox("check-escalation", requested, justification)
        if answer.tag == "err":
            raise Refused(answer.payload)
        mode: SandboxMode | None = answer.payload
        return mode

    def judge_escalation(self, requested: SandboxMode, circumstances: Circumstances) -> None:
        """Whether a person may be asked for a mode; `Refused` holds a sentence."""
        refused = self._sandbox("judge-escalation", requested, circumstances)
        if refused is not None:
            raise Refused(refused)

    def escalation_refused(self, requested: SandboxMode, refusal: str) -> str:
        """The sentence for an escalation that was not approved."""
        return str(self._sandbox("escalation-refused", requested, refusal))

    def describe_policy(self, policy: ExecutionPolicy) -> str:
        """The sentence that describes a policy to a model."""
        return str(self._sandbox("describe-policy", policy))

    def _observation(self, name: str, *args: Any) -> Any:
        return self._instance.call("observation", name, *args)

    def _sandbox(self, name: str, *args: Any) -> Any:
        return self._instance.call("sandbox", name, *args)


class Ledger:
    """What one owner has seen; leaving it as a context forgets everything."""

    def __init__(self, instance: Instance, resource: Any) -> None:
        self._instance = instance
        self._resource = resource

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Forgets everything."""
        self._instance.drop(self._resource)

    def observe(self, key: str, prior: Prior) -> None:
        """Records what was just seen of a target."""
        self._call("observe", key, prior)

    def prior_of(self, key: str) -> Prior:
        """What is known of a target."""
        prior = self._call("prior-of", key)
        return Prior(prior.tag, prior.payload)

    def write_intent(self, key: str) -> WriteGuard:
        """What a write must demand, by what is known."""
        return _write_guard(self._call("write-intent", key))

    def edit_intent(self, target: Target) -> EditGuard:
        """What an edit must demand, by what is known; `Refused` holds an `Error`."""
        return _edit_guard(self._call("edit-intent", target))

    def _call(self, name: str, *args: Any) -> Any:
        return self._instance.call("observation", f"[method]ledger.{name}", self._resource, *args)


def _write_guard(answer: Variant) -> WriteGuard:
    return WriteGuard(answer.tag, answer.payload)


def _edit_guard(answer: Any) -> EditGuard:
    if isinstance(answer, Record):
        raise Refused(lift(Error, answer))
    guard: EditGuard = answer
    return guard
