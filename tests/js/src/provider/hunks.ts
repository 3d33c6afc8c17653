// The changed regions of two texts, with lines of context around each.

import { structuredPatch } from "diff";

import type { Hunk } from "../../generated/tools/interfaces/dsh-fs-types.js";

const CONTEXT = 3;
const MOST_HUNKS = 50;
const MOST_MILLISECONDS = 250;

/** The regions, and whether some were left out. A new file has none. */
export function hunks(before: string | undefined, after: string): { hunks: Hunk[]; cut: boolean } {
  if (before === undefined) return { hunks: [], cut: false };
  const options = { context: CONTEXT, timeout: MOST_MILLISECONDS };
  const patch = structuredPatch("", "", before, after, "", "", options);
  if (patch === undefined) return { hunks: [], cut: true };
  const all = patch.hunks.map((hunk) => ({
    oldStart: hunk.oldStart,
    newStart: hunk.newStart,
    oldText: side(hunk.lines, "-"),
    newText: side(hunk.lines, "+"),
  }));
  return { hunks: all.slice(0, MOST_HUNKS), cut: all.length > MOST_HUNKS };
}

function side(lines: string[], mark: "-" | "+"): string {
  const kept = lines.filter((line) => line.startsWith(" ") || line.startsWith(mark));
  return kept.map((line) => `${line.slice(1)}\n`).join("");
}
