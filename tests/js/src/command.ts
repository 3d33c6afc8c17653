// The whole as a program; it is no part of the package, which needs nothing of WASI.

import type { Root as Command } from "../generated/command/command.js";
import { instantiate } from "./components.js";

/** Gate, toolbox and provider in one, over the parts of WASI that are handed over. */
export function command(wasi: object): Promise<Command> {
  return instantiate("command", { "dsh:fs/types": {}, "dsh:fs/types@0.1.0": {}, ...wasi });
}
