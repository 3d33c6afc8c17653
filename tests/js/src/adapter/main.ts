// The adapter of tests/kit: one call a line in, one answer a line out.

import { createInterface } from "node:readline";

import { gate, texts } from "../components.js";
import { decisions } from "./decisions.js";
import { rules } from "./rules.js";
import { Sessions } from "./sessions.js";

/** What refuses throws this, with the refusal as the function states it. */
export class Refused {
  constructor(readonly value: unknown) {}
}

type Args = Record<string, any>;
export type Functions = Record<string, (args: Args) => unknown>;

async function main(): Promise<void> {
  const rulesForText = (await texts()).text;
  const sessions = new Sessions(rulesForText);
  const functions: Functions = {
    hello: () => ({
      name: "jco",
      speaks: ["observation", "sandbox", "text", "tools", "open-gate", "chain-gate"],
      lacks: ["deny-read"],
    }),
    ...decisions(await gate()),
    ...rules(rulesForText),
    ...sessions.functions(),
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const { call, args } = JSON.parse(line) as { call: string; args: Args };
    process.stdout.write(`${JSON.stringify(await answer(functions, call, args))}\n`);
  }
}

async function answer(functions: Functions, call: string, args: Args): Promise<unknown> {
  try {
    const run = functions[call];
    if (run === undefined) return { error: "there is no such function" };
    return { ok: (await run(args)) ?? null };
  } catch (error) {
    if (error instanceof Refused) return { refused: error.value };
    return { error: error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error) };
  }
}

await main();
