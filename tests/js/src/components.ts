// Instantiates the components. Core modules are read from beside the generated code.

import { readFileSync } from "node:fs";

import type { Root as Gate } from "../generated/gate/gate.js";
import type { Root as Texts } from "../generated/texts/texts.js";
import type { ImportObject, Root as Tools } from "../generated/tools/tools.js";

export type { Gate, Texts, Tools };

type Instantiate<I, R> = (core: (path: string) => WebAssembly.Module, imports: I) => R;

/** Instantiates a component by its name, with what is handed over. */
export async function instantiate<I, R>(name: string, imports: I): Promise<R> {
  // By the map of the package, since compiled sources lie deeper than the sources.
  const entry = import.meta.resolve(`#generated/${name}/${name}.js`);
  const module = (await import(entry)) as { instantiate: Instantiate<I, R> };
  const core = (path: string) => new WebAssembly.Module(readFileSync(new URL(path, entry)));
  return module.instantiate(core, imports);
}

/** The decisions. They import no function, so nothing is handed over. */
export function gate(): Promise<Gate> {
  return instantiate("gate", {});
}

/** The rules for text. They import no function either. */
export function texts(): Promise<Texts> {
  return instantiate("texts", {});
}

/** What a toolbox needs: files and somebody to ask, and nothing else. */
export interface Grants {
  filesystem: ImportObject["dsh:fs/filesystem@0.1.0"];
  approval: ImportObject["dsh:fs/approval@0.1.0"];
}

/** The gate that is in the toolbox: the one that ships, or one for tests. */
export type GateName = "gate" | "open-gate" | "chain-gate";

/** The tools, over these files and this approver: one instance for each session. */
export function tools(grants: Grants, gate: GateName = "gate"): Promise<Tools> {
  return instantiate(gate === "gate" ? "tools" : gate, {
    "dsh:fs/types@0.1.0": {},
    "dsh:fs/types": {},
    "dsh:fs/filesystem@0.1.0": grants.filesystem,
    "dsh:fs/filesystem": grants.filesystem,
    "dsh:fs/approval@0.1.0": grants.approval,
    "dsh:fs/approval": grants.approval,
  });
}
