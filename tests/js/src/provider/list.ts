// The direct children of a directory, by the bytes of their names.

import { lstatSync, readdirSync, statSync, type Stats } from "node:fs";

import type { DirEntry, EntryKind, Target } from "../../generated/tools/interfaces/dsh-fs-types.js";
import { cannot, guarded } from "./failure.js";
import { toBytes, toText } from "./names.js";
import { resolve } from "./resolve.js";

export function list(target: Target): DirEntry[] {
  const path = toBytes(target.key);
  const display = target.displayPath;
  const found = guarded("list", display, () => statSync(path));
  if (!found.isDirectory()) throw cannot("not-directory", "list", display, "not a directory");
  const names = guarded("list", display, () => readdirSync(path, { encoding: "buffer" }));
  names.sort(Buffer.compare);
  return names.flatMap((name) => entry(target, name) ?? []);
}

function entry(parent: Target, name: Buffer): DirEntry | undefined {
  const child = (path: string) => `${path === "/" ? "" : path}/${toText(name)}`;
  const path = toBytes(child(parent.key));
  let stats: Stats;
  try {
    stats = lstatSync(path);
  } catch {
    // It is gone by now.
    return undefined;
  }
  const target = { key: child(parent.key), displayPath: child(parent.displayPath) };
  const plain = { name: toText(name), isLink: false, target, trouble: undefined };
  if (!stats.isSymbolicLink()) return { ...plain, kind: kind(stats), size: size(stats) };
  try {
    const led = statSync(path);
    const key = resolve(target.key, "/").key;
    return { ...plain, target: { ...target, key }, isLink: true, kind: kind(led), size: size(led) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const trouble = code === "ENOENT" ? "the link leads to nothing" : `it cannot be examined (${code})`;
    return { ...plain, isLink: true, kind: "other", size: undefined, trouble };
  }
}

function kind(stats: Stats): EntryKind {
  if (stats.isFile()) return "file";
  return stats.isDirectory() ? "directory" : "other";
}

function size(stats: Stats): bigint | undefined {
  return stats.isFile() ? BigInt(stats.size) : undefined;
}
