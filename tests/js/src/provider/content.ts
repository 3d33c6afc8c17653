// Content of regular files: strict UTF-8 without NUL, and a version that is the content.

import { createHmac, randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";

import { cannot, guarded } from "./failure.js";
import { toBytes } from "./names.js";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A whole text file as it was read from one descriptor. */
export interface Content {
  /** The text as stored, a byte order mark included. */
  text: string;
  version: string;
  stats: Stats;
}

/** Makes versions; those of another instance are other ones. */
export class Versions {
  private readonly secret = randomBytes(16);

  of(bytes: Uint8Array): string {
    return createHmac("sha256", this.secret).update(bytes).digest("base64url").slice(0, 22);
  }
}

/** Reads a regular file; what is none is refused without blocking. */
export function read(verb: string, key: string, display: string, versions: Versions): Content {
  const { bytes, stats } = readBytes(verb, key, display);
  return { text: text(verb, display, bytes), version: versions.of(bytes), stats };
}

function readBytes(verb: string, key: string, display: string): { bytes: Buffer; stats: Stats } {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const descriptor = guarded(verb, display, () => open(toBytes(key), flags, verb, display));
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw cannot("not-regular-file", verb, display, "not a regular file");
    return { bytes: guarded(verb, display, () => readFileSync(descriptor)), stats };
  } finally {
    closeSync(descriptor);
  }
}

function open(path: Buffer, flags: number, verb: string, display: string): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    // A socket cannot be opened, and neither can a device without a driver.
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENXIO" || code === "ENODEV") {
      throw cannot("not-regular-file", verb, display, "not a regular file");
    }
    throw error;
  }
}

function text(verb: string, display: string, bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) {
    throw cannot("not-text", verb, display, "UTF-16 (little endian) text, not UTF-8");
  }
  if (first === 0xfe && second === 0xff) {
    throw cannot("not-text", verb, display, "UTF-16 (big endian) text, not UTF-8");
  }
  if (bytes.includes(0)) throw cannot("not-text", verb, display, "binary file");
  try {
    return strict.decode(bytes);
  } catch {
    throw cannot("not-text", verb, display, "invalid UTF-8 text");
  }
}
