// The functions of `observation` and `sandbox`.

import type { Root as Gate } from "../../generated/gate/gate.js";
import type { Ledger } from "../../generated/gate/interfaces/dsh-fs-observation.js";
import { refusal } from "../refusal.js";
import { Refused, type Functions } from "./main.js";
import { camel, record, tagged, variant } from "./values.js";

export function decisions(gate: Gate): Functions {
  return { ...observation(gate), ...ledger(gate), ...sandbox(gate) };
}

function observation({ observation }: Gate): Functions {
  return {
    "observation.decide-write": ({ prior }) => variant(observation.decideWrite(tagged(prior))),
    "observation.decide-edit": ({ target, prior }) =>
      refusing(() => variant(observation.decideEdit(camel(target), tagged(prior)))),
    "observation.with-remedy": ({ code, message }) => observation.withRemedy(code, message),
  };
}

function ledger({ observation }: Gate): Functions {
  const ledgers: Ledger[] = [];
  const of = (handle: number) => ledgers[handle] as Ledger;
  return {
    "ledger.new": ({ seed, capacity }) => {
      const { low, high } = seed as { low: number; high: number };
      const made = new observation.Ledger({ low: BigInt(low), high: BigInt(high) }, capacity);
      return ledgers.push(made) - 1;
    },
    "ledger.observe": ({ ledger, key, prior }) => of(ledger).observe(key, tagged(prior)),
    "ledger.write-intent": ({ ledger, key }) => variant(of(ledger).writeIntent(key)),
    "ledger.edit-intent": ({ ledger, target }) =>
      refusing(() => variant(of(ledger).editIntent(camel(target)))),
  };
}

function sandbox({ sandbox }: Gate): Functions {
  return {
    "sandbox.resolve-policy": ({ inputs }) => record(sandbox.resolvePolicy(camel(inputs))),
    "sandbox.fold-mode-events": ({ events }) => sandbox.foldModeEvents(events),
    "sandbox.check-escalation": ({ requested, justification }) =>
      refusing(() => sandbox.checkEscalation(requested ?? undefined, justification ?? undefined)),
    "sandbox.judge-escalation": ({ requested, circumstances }) =>
      refusing(() => sandbox.judgeEscalation(requested, circumstances)),
    "sandbox.escalation-refused": ({ requested, refusal }) =>
      sandbox.escalationRefused(requested, refusal),
    "sandbox.describe-policy": ({ policy }) => sandbox.describePolicy(camel(policy)),
  };
}

/** Runs what may refuse. */
export function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    const refused = refusal<object | string>(error);
    throw new Refused(typeof refused === "object" ? record(refused) : refused);
  }
}
