// The values of an answer, as programs read them.

import type {
  ChangeAnswer,
  ListAnswer,
  ReadAnswer,
} from "../generated/tools/interfaces/dsh-fs-tools.js";

export function value(answer: ReadAnswer | ChangeAnswer | ListAnswer): unknown {
  if ("window" in answer) return read(answer);
  return "mutation" in answer ? change(answer) : list(answer);
}

function read({ target, window }: ReadAnswer) {
  const lines = window.text.split("\n").slice(0, -1);
  return {
    path: target.displayPath,
    key: target.key,
    offset: window.firstLine,
    lines: lines.map((text, at) => ({ number: window.firstLine + at, text })),
    totalLines: window.totalLines,
    version: window.version,
    lineEndings: window.lineEndings,
    finalNewline: window.finalNewline,
    byteOrderMark: window.byteOrderMark,
    capped: window.capped,
    cutLines: window.cutLines,
  };
}

function change({ mutation }: ChangeAnswer) {
  const path = mutation.target.displayPath;
  return {
    operation: mutation.operation,
    version: mutation.version,
    previousVersion: mutation.previous ?? null,
    replacements: mutation.replacements ?? null,
    grade: mutation.grade,
    gradeReason: mutation.gradeReason ?? null,
    diffs: mutation.hunks.map((hunk) => ({ path, ...hunk })),
    diffsCut: mutation.hunksCut,
    key: mutation.target.key,
    path,
    ...(mutation.before === undefined ? {} : { before: mutation.before }),
    ...(mutation.after === undefined ? {} : { after: mutation.after }),
  };
}

function list({ target, entries, firstEntry, totalEntries }: ListAnswer) {
  return {
    path: target.displayPath,
    key: target.key,
    offset: firstEntry,
    entries: entries.map((entry) => ({
      name: entry.name,
      type: entry.kind,
      isLink: entry.isLink,
      size: entry.size === undefined ? null : Number(entry.size),
      path: entry.target.displayPath,
      key: entry.target.key,
      trouble: entry.trouble ?? null,
    })),
    totalEntries,
  };
}
