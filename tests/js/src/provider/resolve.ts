// Which file a path means: links are followed one component at a time, as the kernel does.

import { lstatSync, readlinkSync, type Stats } from "node:fs";

import type { Target } from "../../generated/tools/interfaces/dsh-fs-types.js";
import { cannot, failure, fromSystem } from "./failure.js";
import { toBytes, toText } from "./names.js";

const MOST_LINKS = 40;
const LONGEST_PATH = 4095;
const LONGEST_NAME = 255;
const SLASH = Buffer.from("/");

/** The canonical key of a path, and the path as it is shown. */
export function resolve(path: string, base: string): Target {
  if (path.trim() === "") throw failure("not-found", "file_path must be a non-empty string");
  const spelled = path.startsWith("/") ? path : `${base}/${path}`;
  const why = unusable(path, base, spelled);
  if (why !== undefined) throw cannot("not-found", "resolve", spelled, why);
  const key = toText(new Walk(spelled).canonical());
  return { key, displayPath: displayed(spelled, key) };
}

function unusable(path: string, base: string, spelled: string): string | undefined {
  if (spelled.includes("\0")) return "the path contains a NUL character";
  if (!path.startsWith("/") && !base.startsWith("/")) return "the base directory is not absolute";
  if (toBytes(spelled).length > LONGEST_PATH) return "the path is longer than 4095 bytes";
  return undefined;
}

/** The path without `.` and empty names; the key where a step up may cross a link. */
function displayed(spelled: string, key: string): string {
  const names = spelled.split("/").filter((name) => name !== "" && name !== ".");
  if (!names.includes("..")) return `/${names.join("/")}`;
  const kept: string[] = [];
  for (const name of names) {
    if (name === "..") kept.pop();
    else kept.push(name);
  }
  const shorter = `/${kept.join("/")}`;
  try {
    return toText(new Walk(shorter).canonical()) === key ? shorter : key;
  } catch {
    return key;
  }
}

/** One walk from the root of the disk. */
class Walk {
  private names: Buffer[];
  private here: Buffer[] = [];
  private links = 0;
  private missing = false;

  /** Whether the last name is said to be a directory's. */
  private directory: boolean;

  constructor(private readonly spelled: string) {
    this.names = split(toBytes(spelled));
    this.directory = saysDirectory(spelled);
  }

  canonical(): Buffer {
    for (let name = this.names.shift(); name !== undefined; name = this.names.shift()) {
      this.step(name);
    }
    if (this.directory && !this.isDirectory()) {
      throw this.refused('a path that ends in "/" names a directory, and none is there');
    }
    return join(this.here);
  }

  private step(name: Buffer): void {
    if (name.length > LONGEST_NAME) throw this.refused("a name in the path is too long");
    if (name.equals(Buffer.from(".."))) return this.up();
    const found = this.missing ? undefined : this.look([...this.here, name]);
    if (found?.isSymbolicLink()) return this.follow(name);
    if (found !== undefined && !found.isDirectory() && this.names.length > 0) {
      throw this.refused("a parent path segment is not a directory");
    }
    this.missing ||= found === undefined;
    this.here.push(name);
  }

  private up(): void {
    if (this.missing) throw this.refused('".." after a directory that does not exist');
    this.here.pop();
  }

  private follow(name: Buffer): void {
    this.links += 1;
    if (this.links > MOST_LINKS) throw this.refused("too many symbolic links");
    const stored = readlinkSync(join([...this.here, name]), { encoding: "buffer" });
    if (stored[0] === 0x2f) this.here = [];
    if (this.names.length === 0) this.directory ||= saysDirectory(stored.toString("latin1"));
    this.names = [...split(stored), ...this.names];
  }

  private isDirectory(): boolean {
    if (this.here.length === 0) return true;
    return !this.missing && this.look(this.here)?.isDirectory() === true;
  }

  private look(names: Buffer[]): Stats | undefined {
    try {
      return lstatSync(join(names));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "ENOENT") return undefined;
      throw fromSystem("resolve", this.spelled, error);
    }
  }

  private refused(reason: string) {
    return cannot("not-found", "resolve", this.spelled, reason);
  }
}

function saysDirectory(path: string): boolean {
  return /(^|\/)\.?$/u.test(path);
}

function split(path: Buffer): Buffer[] {
  const names: Buffer[] = [];
  let start = 0;
  for (let at = 0; at <= path.length; at += 1) {
    if (at < path.length && path[at] !== 0x2f) continue;
    const name = path.subarray(start, at);
    if (name.length > 0 && !name.equals(Buffer.from("."))) names.push(name);
    start = at + 1;
  }
  return names;
}

function join(names: Buffer[]): Buffer {
  if (names.length === 0) return SLASH;
  return Buffer.concat(names.flatMap((name) => [SLASH, name]));
}
