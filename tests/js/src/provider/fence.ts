// The fence: which directories a mode opens, and a walk into one that follows no link.

import { closeSync, constants, mkdirSync, openSync, realpathSync, statSync } from "node:fs";

import type { SandboxMode, Target } from "../../generated/tools/interfaces/dsh-fs-types.js";
import { cannot, fromSystem } from "./failure.js";
import { shown, toBytes, toText } from "./names.js";
import { resolve } from "./resolve.js";

/** Which directories `workspace-write` opens, as an embedder grants them by name. */
export interface RootRules {
  workspace: string;
  extra: string[];
  /** Sub-paths that stay read-only: relative ones beneath every root. */
  protected: string[];
}

/** The roots as they were when the session began. */
export class Roots {
  private readonly roots: { path: string; device: number; inode: number }[] = [];
  private readonly protected: string[];

  constructor(rules: RootRules) {
    for (const path of [rules.workspace, ...rules.extra]) this.pin(path);
    this.protected = rules.protected.flatMap((path) =>
      path.startsWith("/") ? [path] : this.roots.map((root) => `${root.path}/${path}`),
    );
  }

  private pin(path: string): void {
    try {
      const canonical = toText(realpathSync(toBytes(path), { encoding: "buffer" }));
      const stats = statSync(toBytes(canonical));
      const known = this.roots.some((root) => root.path === canonical);
      if (!stats.isDirectory() || known) return;
      this.roots.push({ path: canonical, device: stats.dev, inode: stats.ino });
    } catch {
      // A root that is not there contains nothing.
    }
  }

  texts(): string[] {
    return this.roots.map((root) => root.path);
  }

  /** The root that a target may be changed beneath; throws where there is none. */
  admitting(target: Target, mode: SandboxMode): string {
    const display = target.displayPath;
    const denied = (detail?: string) =>
      cannot("sandbox-denied", "write", display, `file access denied under ${mode} mode`, detail);
    if (mode === "read-only") throw denied();
    if (target.key.startsWith("/proc/")) {
      throw denied("the path leads through /proc, where links can lead anywhere");
    }
    if (mode === "danger-full-access") return "/";
    const now = resolve(display.startsWith("/") ? display : target.key, "/").key;
    if (this.roots.some((root) => root.path === now)) {
      throw cannot("not-regular-file", "write", display, "not a regular file");
    }
    const root = this.roots.find((root) => beneath(now, root.path));
    if (root === undefined) throw denied();
    if (now !== target.key) {
      const detail = "the path leads elsewhere now than when it was resolved";
      throw cannot("stale-version", "write", display, "file changed since it was read", detail);
    }
    if (!isUnmoved(root)) throw denied("a writable root is no longer the directory that it was");
    const kept = this.protected.find((path) => covers(path, now));
    if (kept !== undefined) throw denied(`"${shown(kept)}" is kept read-only`);
    return root.path;
  }
}

function beneath(path: string, root: string): boolean {
  return path.startsWith(root.endsWith("/") ? root : `${root}/`);
}

function covers(kept: string, path: string): boolean {
  return path === kept || beneath(path, kept) || beneath(kept, path);
}

function isUnmoved(root: { path: string; device: number; inode: number }): boolean {
  try {
    const stats = statSync(toBytes(root.path));
    return stats.dev === root.device && stats.ino === root.inode;
  } catch {
    return false;
  }
}

const STEP = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** An open directory; names in it are reached through its descriptor, never by its path. */
export class Folder implements Disposable {
  private constructor(readonly descriptor: number) {}

  /** The folder of a target beneath a root. Missing folders are made, and told to `made`. */
  static of(target: Target, root: string, verb: string, made: Buffer[]): Folder {
    const rest = target.key.slice(root.endsWith("/") ? root.length : root.length + 1);
    const names = rest.split("/").slice(0, -1);
    let folder = new Folder(step(Buffer.from(toBytes(root)), verb, target.displayPath));
    for (const name of names) {
      using parent = folder;
      folder = parent.into(toBytes(name), verb, target.displayPath, made);
    }
    return folder;
  }

  /** A name in this folder as a path for one system call. */
  path(name: Buffer): Buffer {
    return Buffer.concat([Buffer.from(`/proc/self/fd/${this.descriptor}/`), name]);
  }

  private into(name: Buffer, verb: string, display: string, made: Buffer[]): Folder {
    const path = this.path(name);
    try {
      return new Folder(openSync(path, STEP));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
        throw stepFailure(verb, display, error);
      }
    }
    try {
      mkdirSync(path);
      made.push(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw fromSystem(verb, display, error);
    }
    return new Folder(step(path, verb, display));
  }

  [Symbol.dispose](): void {
    closeSync(this.descriptor);
  }
}

function step(path: Buffer, verb: string, display: string): number {
  try {
    return openSync(path, STEP);
  } catch (error) {
    throw stepFailure(verb, display, error);
  }
}

/** A link on the way was put there since the target was resolved. */
function stepFailure(verb: string, display: string, error: unknown) {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ELOOP") {
    return cannot("sandbox-denied", "write", display, "a link was put on the way");
  }
  if (code === "ENOTDIR") {
    return cannot("not-found", verb, display, "a parent path segment is not a directory");
  }
  return fromSystem(verb, display, error);
}
