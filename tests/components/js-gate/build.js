// Makes a component of gate.js: `node build.js WIT FILE`.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { componentize } from "@bytecodealliance/componentize-js";

const here = import.meta.dirname;
const { component } = await componentize(await readFile(join(here, "gate.js"), "utf8"), {
  witPath: process.argv[2],
  worldName: "chained-gate",
  disableFeatures: ["random", "stdio", "clocks", "http", "fetch-event"],
});
await writeFile(process.argv[3], component);
