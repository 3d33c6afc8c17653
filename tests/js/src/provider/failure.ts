// Failures: one of the thirteen codes, and one sentence.

import type { Error as Failure, ErrorCode } from "../../generated/tools/interfaces/dsh-fs-types.js";
import { shown } from "./names.js";

export type { Failure };

/** The failure that a component expects to be thrown. */
export function failure(code: ErrorCode, message: string, path?: string, detail?: string): Failure {
  return { code, message, path, detail };
}

/** `cannot <verb> "<path>": <reason>` */
export function cannot(
  code: ErrorCode,
  verb: string,
  display: string,
  reason: string,
  detail?: string,
): Failure {
  const path = shown(display);
  return failure(code, `cannot ${verb} "${path}": ${reason}`, path, detail);
}

/** The failure for an error of the operating system. */
export function fromSystem(verb: string, display: string, error: unknown): Failure {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return cannot("not-found", verb, display, "not found");
    case "ELOOP":
      return cannot("not-found", verb, display, "too many symbolic links");
    case "ENAMETOOLONG":
      return cannot("not-found", verb, display, "a name in the path is too long");
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return cannot("permission-denied", verb, display, `permission denied (${code})`);
    default:
      return cannot("io-error", verb, display, `the operating system reported ${code}`);
  }
}

/** Runs work whose errors are those of the operating system. */
export function guarded<T>(verb: string, display: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Error ? fromSystem(verb, display, error) : error;
  }
}
