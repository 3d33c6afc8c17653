"""The functions of `observation` and `sandbox`."""

from __future__ import annotations

from typing import Any

from wasmtime.component import Variant

from dsh_fs import Gate, Ledger
from dsh_fs.values import (
    Circumstances,
    EditGuard,
    ExecutionPolicy,
    ModeEvent,
    PolicyInputs,
    Prior,
    Seed,
    Target,
)

from .values import Functions, record, variant


def decisions(gate: Gate) -> Functions:
    """Everything that a gate answers."""
    return {**_observation(gate), **_ledger(gate), **_sandbox(gate)}


def _observation(gate: Gate) -> Functions:
    return {
        "observation.decide-write": lambda args: gate.decide_write(variant(Prior, args["prior"])),
        "observation.decide-edit": lambda args: _edit_guard(
            gate.decide_edit(record(Target, args["target"]), variant(Prior, args["prior"]))
        ),
        "observation.with-remedy": lambda args: gate.with_remedy(args["code"], args["message"]),
    }


def _ledger(gate: Gate) -> Functions:
    ledgers: list[Ledger] = []

    def new(args: dict[str, Any]) -> int:
        ledgers.append(gate.ledger(record(Seed, args["seed"]), args["capacity"]))
        return len(ledgers) - 1

    def of(args: dict[str, Any]) -> Ledger:
        number: int = args["ledger"]
        return ledgers[number]

    return {
        "ledger.new": new,
        "ledger.observe": lambda args: of(args).observe(args["key"], variant(Prior, args["prior"])),
        "ledger.write-intent": lambda args: of(args).write_intent(args["key"]),
        "ledger.edit-intent": lambda args: _edit_guard(of(args).edit_intent(record(Target, args["target"]))),
    }


def _sandbox(gate: Gate) -> Functions:
    return {
        "sandbox.resolve-policy": lambda args: gate.resolve_policy(record(PolicyInputs, args["inputs"])),
        "sandbox.fold-mode-events": lambda args: gate.fold_mode_events(
            [record(ModeEvent, event) for event in args["events"]]
        ),
        "sandbox.check-escalation": lambda args: gate.check_escalation(args["requested"], args["justification"]),
        "sandbox.judge-escalation": lambda args: gate.judge_escalation(
            args["requested"], record(Circumstances, args["circumstances"])
        ),
        "sandbox.escalation-refused": lambda args: gate.escalation_refused(args["requested"], args["refusal"]),
        "sandbox.describe-policy": lambda args: gate.describe_policy(record(ExecutionPolicy, args["policy"])),
    }


def _edit_guard(guard: EditGuard) -> Variant:
    return Variant("unconditional") if guard is None else Variant("if-version", guard)
