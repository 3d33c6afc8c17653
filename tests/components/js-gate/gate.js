// A link of a chain of gates: lock files can be made, and never be changed. It decides
// about files that a package manager writes, and asks the next gate about all others.

import * as nextObservation from "dsh:fs/observation@0.1.0";
import * as nextSandbox from "dsh:fs/sandbox@0.1.0";

const LOCKS = ["Cargo.lock", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "poetry.lock", "uv.lock"];

/** A version that no content has. */
const NEVER = "never";

function isLock(key) {
  return LOCKS.includes(key.slice(key.lastIndexOf("/") + 1));
}

/** Refuses an edit of a lock file. */
function refuseLocks({ key, displayPath: path }) {
  if (!isLock(key)) return;
  const message = `cannot edit "${path}": a package manager writes lock files`;
  throw { code: "permission-denied", message, path, detail: undefined };
}

/** The ledger of the next gate, with this gate's rule in front of it. */
class Ledger {
  #next;

  constructor(seed, capacity, next = new nextObservation.Ledger(seed, capacity)) {
    this.#next = next;
  }

  writeIntent(key) {
    const guard = this.#next.writeIntent(key);
    return isLock(key) && guard.tag === "replace-if-version" ? { ...guard, val: NEVER } : guard;
  }

  editIntent(target) {
    refuseLocks(target);
    return refusing(() => this.#next.editIntent(target));
  }

  observe(key, prior) {
    this.#next.observe(key, prior);
  }

  priorOf(key) {
    return this.#next.priorOf(key);
  }

  fill() {
    return this.#next.fill();
  }

  snapshot(page) {
    return this.#next.snapshot(page);
  }

  restore(page) {
    refusing(() => this.#next.restore(page));
  }

  fork() {
    return new Ledger(undefined, undefined, this.#next.fork());
  }
}

/** The refusal of an import is an error with a payload; that of an export is the payload. */
function refusing(ask) {
  try {
    return ask();
  } catch (error) {
    throw error.payload ?? error;
  }
}

export const observation = {
  Ledger,
  decideWrite: (prior) => nextObservation.decideWrite(prior),
  decideEdit(target, prior) {
    refuseLocks(target);
    return refusing(() => nextObservation.decideEdit(target, prior));
  },
  withRemedy: (code, message) => nextObservation.withRemedy(code, message),
};

/** Every question goes to the next gate. */
export const sandbox = Object.fromEntries(
  Object.entries(nextSandbox).map(([name, ask]) => [name, (...given) => refusing(() => ask(...given))]),
);
