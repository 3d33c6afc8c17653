// An agent loop in one page: a model (here a script of one) calls tools, and reads answers.
//
//     npm run example

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { texts } from "../src/components.js";
import { Roots } from "../src/provider/fence.js";
import { Versions } from "../src/provider/content.js";
import { Session } from "../src/session.js";

const workspace = mkdtempSync(join(tmpdir(), "dsh-fs-example-"));
writeFileSync(join(workspace, "greeting.txt"), "Hello, wrold!\n");

// What is granted: one directory, and a person who says yes once and then no.
const answers = ["allowed-once", "rejected"] as const;
let asked = 0;
const session = await Session.start(
  {
    roots: new Roots({ workspace, extra: [], protected: [".git/hooks"] }),
    texts: (await texts()).text,
    versions: new Versions(),
    guarded: true,
    aborted: () => false,
  },
  {
    id: "example",
    cwd: workspace,
    root: workspace,
    mode: "workspace-write",
    confined: true,
    limits: { lines: 2_000, bytes: 51_200, lineChars: 2_000 },
    person: (question) => {
      console.log(`  a person is asked about ${question.path}: ${question.justification}`);
      return answers[asked++] ?? "unavailable";
    },
  },
);

const outside = `${workspace}-outside.txt`;
const wider = { sandbox_permissions: "danger-full-access", justification: "a copy beside the workspace" };
const edit = { file_path: "greeting.txt", old_string: "wrold", new_string: "world" };

console.log(session.policyText());
for (const [tool, args] of [
  ["edit", edit],
  ["read", { file_path: "greeting.txt" }],
  ["edit", edit],
  ["write", { file_path: ".git/hooks/pre-commit", content: "#!/bin/sh\n" }],
  ["write", { file_path: outside, content: "copied\n" }],
  ["write", { file_path: outside, content: "copied\n", ...wider }],
  ["list", {}],
] as const) {
  const answer = session.call(tool, args);
  console.log(`${tool} ${JSON.stringify(args)}\n  ${answer.code ?? "ok"}: ${answer.text.split("\n").join("\n  ")}`);
}

const kept = readFileSync(join(workspace, "greeting.txt"), "utf8");
rmSync(workspace, { recursive: true });
rmSync(outside, { force: true });
if (kept !== "Hello, world!\n") throw new Error(`the file holds ${JSON.stringify(kept)}`);
