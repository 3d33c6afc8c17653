// Makes JavaScript and types of the components: `node transpile.js DIR [NAME...]`.
//
// DIR has what `cargo run -p dsh-fs-tests --bin components -- DIR` writes; where no name is
// given, all of it is taken. Imports are handed over when a component is instantiated, so
// that nothing is granted by default.

import { join } from "node:path";

import { transpile, writeFiles } from "@bytecodealliance/jco-transpile";

const here = import.meta.dirname;
const folder = process.argv[2] ?? join(here, "../../target/components");
const components = {
  gate: "gate.wasm",
  texts: "texts.wasm",
  tools: "dsh-fs.wasm",
  "open-gate": "open-gate.wasm",
  "chain-gate": "chain-gate.wasm",
  command: "dsh-fs-command.wasm",
};

const wanted = process.argv.length > 3 ? process.argv.slice(3) : Object.keys(components);
for (const name of wanted) {
  const file = components[name];
  const { files } = await transpile(join(folder, file), {
    name,
    instantiation: "sync",
    outDir: join(here, "generated", name),
  });
  await writeFiles(Object.fromEntries(Object.entries(files).map(keepingMarks)));
}

/** A byte order mark at the start of a string is text, and must not be decoded away. */
function keepingMarks([path, content]) {
  if (!path.endsWith(".js")) return [path, content];
  const source = new TextDecoder().decode(content);
  const kept = source.replace(/new TextDecoder\(\)/gu, 'new TextDecoder("utf-8", { ignoreBOM: true })');
  if (kept === source) throw new Error(`${path} decodes strings in a way that is not known here`);
  return [path, new TextEncoder().encode(kept)];
}
