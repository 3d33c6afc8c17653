// All of it in one file: gate, toolbox, and files through WASI, over the one folder that is
// named. Nothing else of the disk, of the environment or of the network is handed over.
//
//     node dist/example/composed.js FOLDER [OPTION…] [VERB …]
//
// Without a verb it answers calls, one JSON object a line. Inside, the folder is `/ws`. The
// exit code is 1 where the verb was refused.

import { WASIShim } from "@bytecodealliance/preview2-shim/instantiation";

import { command } from "../src/command.js";

const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: composed.js FOLDER [OPTION…] [VERB …]");

const wasi = new WASIShim({
  sandbox: { preopens: { "/ws": folder }, env: {}, args: ["dsh-fs", ...rest], enableNetwork: false },
});
const program = await command(wasi.getImportObject());
try {
  program.run.run();
} catch {
  // Standard error says why: the program answers an error without a value.
  process.exitCode = 1;
}
