// What the package offers: a session over one directory, and its parts for those who need
// another arrangement.

import { resolve as absolute } from "node:path";

import { texts } from "./components.js";
import { Versions } from "./provider/content.js";
import type { Asked, Decision } from "./provider/authority.js";
import { Roots } from "./provider/fence.js";
import { Session } from "./session.js";
import type { ReadLimits } from "../generated/tools/interfaces/dsh-fs-tools.js";
import type { SandboxMode } from "../generated/tools/interfaces/dsh-fs-types.js";

export { gate, texts, tools, type Gate, type Grants, type Texts, type Tools } from "./components.js";
export { Authority, type Asked, type Decision } from "./provider/authority.js";
export { Versions } from "./provider/content.js";
export { Roots, type RootRules } from "./provider/fence.js";
export { Files, type Ground } from "./provider/files.js";
export { Session, type Answer, type SessionOptions } from "./session.js";
export type { ReadLimits } from "../generated/tools/interfaces/dsh-fs-tools.js";
export type { ExecutionPolicy, SandboxMode } from "../generated/tools/interfaces/dsh-fs-types.js";

/** What a session may be given beside its directory. */
export interface Opening {
  /** A label of the session. */
  id?: string;
  /** What may be changed: `read-only` where absent. */
  mode?: SandboxMode;
  /** Further directories that `workspace-write` opens. */
  extra?: string[];
  /** Sub-paths that stay read-only: relative ones beneath every root. */
  protected?: string[];
  /** Who is asked for more; nobody where absent. */
  person?: (question: Asked) => Decision;
  /** The limits of a read. */
  limits?: ReadLimits;
}

/** Opens a session over a directory. Nothing of the disk is granted but what is named here. */
export async function open(directory: string, opening: Opening = {}): Promise<Session> {
  const root = absolute(directory);
  const { extra = [], protected: kept = [] } = opening;
  const ground = {
    roots: new Roots({ workspace: root, extra, protected: kept }),
    texts: (await texts()).text,
    versions: new Versions(),
    guarded: true,
    aborted: () => false,
  };
  return Session.start(ground, {
    id: opening.id ?? "session",
    cwd: root,
    root,
    mode: opening.mode ?? "read-only",
    confined: true,
    limits: opening.limits ?? { lines: 2_000, bytes: 51_200, lineChars: 2_000 },
    person: opening.person,
  });
}
