// Publication: a new content is staged beside the target and takes its name in one step.
//
// Node has no leases and no exchange of names: the content is compared once more right
// before the name is taken, and the grade of a replacement says that this is all.

import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
  type Stats,
} from "node:fs";

import type { Grade, Target } from "../../generated/tools/interfaces/dsh-fs-types.js";
import { cannot, fromSystem, guarded } from "./failure.js";
import type { Folder } from "./fence.js";
import { toBytes } from "./names.js";

export const BEST_EFFORT =
  "Node can hold no other program off, and keeps neither extended attributes nor ACLs";

/** What a publication came to. */
export interface Published {
  grade: Grade;
  reason: string | undefined;
}

/** The last name of a target. */
export function lastName(target: Target): Buffer {
  return toBytes(target.key.slice(target.key.lastIndexOf("/") + 1));
}

/** Makes a file that is not there; a racing creator keeps its own. */
export function create(folder: Folder, target: Target, content: Buffer): Published {
  const display = target.displayPath;
  const staged = stage(folder, content, undefined, "write", display);
  try {
    linkSync(staged, folder.path(lastName(target)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw exists(folder, target);
    throw fromSystem("write", display, error);
  } finally {
    unlinkSync(staged);
  }
  syncFolder(folder);
  return { grade: "atomic", reason: undefined };
}

/** Puts a new content in the place of one that `stillThere` vouches for. */
export function replace(
  folder: Folder,
  target: Target,
  content: Buffer,
  old: Stats,
  verb: string,
  stillThere: () => void,
): Published {
  const display = target.displayPath;
  checkReplaceable(folder, target, old, verb);
  const staged = stage(folder, content, old, verb, display);
  try {
    stillThere();
    guarded(verb, display, () => renameSync(staged, folder.path(lastName(target))));
  } catch (error) {
    unlinkSync(staged);
    throw error;
  }
  syncFolder(folder);
  return { grade: "best-effort", reason: BEST_EFFORT };
}

/** The failure for something that is there and was never seen. */
function exists(folder: Folder, target: Target) {
  const found = lstatSync(folder.path(lastName(target)), { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile() && !found.isSymbolicLink()) {
    return cannot("not-regular-file", "write", target.displayPath, "not a regular file");
  }
  const message = "exists already and was not read";
  return cannot("not-observed", "write", target.displayPath, message);
}

/** Removes folders that were made for a file that was not. */
export function unmake(made: Buffer[]): void {
  for (const folder of made.reverse()) {
    try {
      rmdirSync(folder);
    } catch {
      // Somebody else uses it by now.
    }
  }
}

function checkReplaceable(folder: Folder, target: Target, old: Stats, verb: string): void {
  const display = target.displayPath;
  if (old.nlink > 1) {
    const reason = `the file has ${old.nlink} hard links, and the other names would keep the old content`;
    throw cannot("permission-denied", verb, display, reason);
  }
  // What an in-place write by the same user would meet.
  const path = folder.path(lastName(target));
  closeSync(
    guarded(verb, display, () => openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW)),
  );
}

function stage(
  folder: Folder,
  content: Buffer,
  old: Stats | undefined,
  verb: string,
  display: string,
): Buffer {
  const path = folder.path(Buffer.from(`.dsh-fs-${randomBytes(8).toString("hex")}`));
  return guarded(verb, display, () => {
    const descriptor = openSync(path, "wx", 0o666);
    try {
      for (let at = 0; at < content.length; ) at += writeSync(descriptor, content, at);
      if (old !== undefined) keepMetadata(descriptor, old, verb, display);
      fsyncSync(descriptor);
    } catch (error) {
      unlinkSync(path);
      throw error;
    } finally {
      closeSync(descriptor);
    }
    return path;
  });
}

function keepMetadata(descriptor: number, old: Stats, verb: string, display: string): void {
  try {
    fchownSync(descriptor, old.uid, old.gid);
  } catch {
    throw cannot("permission-denied", verb, display, "the file would lose its owner");
  }
  const setId = old.isFile() && process.geteuid?.() !== 0 ? 0o6000 : 0;
  fchmodSync(descriptor, old.mode & 0o7777 & ~setId);
}

function syncFolder(folder: Folder): void {
  fsyncSync(folder.descriptor);
}
