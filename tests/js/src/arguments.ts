// The arguments of a tool call as a model sends them. Only the shape is checked here;
// what the values mean is the component's to judge.

import type {
  EditArgs,
  ListArgs,
  ReadArgs,
  WriteArgs,
} from "../generated/tools/interfaces/dsh-fs-tools.js";

/** Arguments of the wrong shape. */
export class Misshapen extends Error {}

export type Call =
  | { tool: "read"; args: ReadArgs }
  | { tool: "write"; args: WriteArgs }
  | { tool: "edit"; args: EditArgs }
  | { tool: "list"; args: ListArgs };

export function arguments_(tool: string, given: unknown): Call {
  const known = ["read", "write", "edit", "list"];
  if (!known.includes(tool)) throw new Misshapen(`unknown tool "${tool}"`);
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new Misshapen("invalid arguments: expected an object");
  }
  const args = new Properties(given as Record<string, unknown>);
  switch (tool) {
    case "read":
      return { tool, args: read(args) };
    case "write":
      return { tool, args: write(args) };
    case "edit":
      return { tool, args: edit(args) };
    default:
      return { tool: "list", args: list(args) };
  }
}

function read(args: Properties): ReadArgs {
  args.require("file_path");
  return {
    filePath: args.requiredText("file_path"),
    offset: args.number("offset"),
    limit: args.number("limit"),
    column: args.number("column"),
  };
}

function write(args: Properties): WriteArgs {
  args.require("file_path", "content");
  return {
    filePath: args.requiredText("file_path"),
    content: args.requiredText("content"),
    escalation: args.escalation(),
  };
}

function edit(args: Properties): EditArgs {
  args.require("file_path", "old_string", "new_string");
  return {
    filePath: args.requiredText("file_path"),
    oldString: args.requiredText("old_string"),
    newString: args.requiredText("new_string"),
    replaceAll: args.flag("replace_all"),
    escalation: args.escalation(),
  };
}

function list(args: Properties): ListArgs {
  return {
    filePath: args.text("file_path"),
    offset: args.number("offset"),
    limit: args.number("limit"),
  };
}

/** The properties of a call. One that is there has the right type, null not being one. */
class Properties {
  constructor(private readonly given: Record<string, unknown>) {}

  require(...names: string[]): void {
    const missing = names.find((name) => !(name in this.given));
    if (missing !== undefined) {
      throw new Misshapen(`invalid arguments: missing required property "${missing}"`);
    }
  }

  requiredText(name: string): string {
    this.require(name);
    return this.text(name) as string;
  }

  text(name: string): string | undefined {
    const text = this.typed<string>(name, "string");
    if (text !== undefined && !text.isWellFormed()) {
      throw new Misshapen(`invalid arguments: "${name}" has a lone surrogate`);
    }
    return text;
  }

  flag(name: string): boolean {
    return this.typed<boolean>(name, "boolean") ?? false;
  }

  /** One that is not whole becomes 0, which the component refuses in its own words. */
  number(name: string): bigint | undefined {
    const number = this.typed<number>(name, "number");
    if (number === undefined) return undefined;
    return Number.isInteger(number) ? BigInt.asIntN(64, BigInt(clamped(number))) : 0n;
  }

  escalation() {
    return {
      sandboxPermissions: this.text("sandbox_permissions"),
      justification: this.text("justification"),
    };
  }

  private typed<T>(name: string, kind: string): T | undefined {
    if (!(name in this.given)) return undefined;
    const given = this.given[name];
    if (typeof given !== kind) {
      throw new Misshapen(`invalid arguments: "${name}" must be a ${kind}`);
    }
    return given as T;
  }
}

function clamped(number: number): number {
  return Math.max(-(2 ** 62), Math.min(2 ** 62, number));
}
