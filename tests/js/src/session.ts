// One agent: the tools over a provider of node:fs, called by name and JSON.

import { tools, type GateName, type Grants } from "./components.js";
import { Authority, type Asked, type Decision } from "./provider/authority.js";
import type { Ground } from "./provider/files.js";
import type {
  Failure,
  ReadLimits,
  Session as Component,
} from "../generated/tools/interfaces/dsh-fs-tools.js";
import type { ExecutionPolicy, SandboxMode } from "../generated/tools/interfaces/dsh-fs-types.js";
import { arguments_, Misshapen } from "./arguments.js";
import { value } from "./answer.js";
import { refusal } from "./refusal.js";
import { Files } from "./provider/files.js";
import { resolve } from "./provider/resolve.js";

/** Everything that a session starts from. */
export interface SessionOptions {
  id: string | undefined;
  cwd: string | undefined;
  root: string;
  mode: SandboxMode;
  confined: boolean;
  limits: ReadLimits;
  /** The gate in the toolbox; the one that ships where absent. */
  gate?: GateName;
  /** Somebody who can be asked; nobody where absent. */
  person: ((question: Asked) => Decision) | undefined;
}

/** What a model reads, and the same as values. */
export interface Answer {
  ok: boolean;
  code?: string;
  text: string;
  value?: unknown;
}

/** Components that broke. Their handles are never collected: to drop one would run them. */
const broken: Component[] = [];

export class Session {
  private ended: string | undefined;

  private constructor(
    private readonly component: Component,
    private readonly authority: Authority,
    private readonly options: SessionOptions,
    private readonly ground: Ground,
  ) {}

  static async start(ground: Ground, options: SessionOptions): Promise<Session> {
    const mode = options.confined ? options.mode : "danger-full-access";
    const root = options.cwd ?? options.root;
    const person = options.person ?? (() => "unavailable" as const);
    const authority = new Authority(ground, root, mode, options.id, person);
    const grants = {
      filesystem: {
        open: (policy, grant) => authority.open(policy, grant) as never,
        Files: Files as never,
      },
      approval: { ask: (question) => authority.ask(question) },
    } satisfies Grants;
    const exports = await tools(grants, options.gate);
    const component = new exports.tools.Session({
      sessionId: options.id,
      cwd: options.cwd,
      defaultMode: mode,
      configuredRoot: options.root,
      confined: options.confined,
      approver: options.person !== undefined,
      limits: options.limits,
      reportTexts: true,
      reportHunks: true,
      seed: randomSeed(),
      ledgerCapacity: 0,
    });
    return new Session(component, authority, options, ground);
  }

  /** Runs a tool by name: read, write, edit or list. */
  call(tool: string, args: unknown): Answer {
    if (this.ended !== undefined) return trapped(this.ended);
    this.authority.running = tool;
    try {
      return this.run(tool, args);
    } catch (error) {
      return error instanceof WebAssembly.RuntimeError ? this.end(error) : failed(error);
    } finally {
      this.authority.endCall();
    }
  }

  /** The component broke: this session has ended, and no other. */
  private end(error: WebAssembly.RuntimeError): Answer {
    broken.push(this.component);
    this.ended = error.message;
    return trapped(this.ended);
  }

  private run(tool: string, args: unknown): Answer {
    const parsed = arguments_(tool, args);
    switch (parsed.tool) {
      case "read":
        return done(this.component.read(parsed.args));
      case "write":
        return done(this.component.write(parsed.args));
      case "edit":
        return done(this.component.edit(parsed.args));
      case "list":
        return done(this.component.list(parsed.args));
    }
  }

  /** A person, or the embedder for one, changes the mode. */
  setMode(mode: SandboxMode, source: "user" | "delegation" = "user"): void {
    if (this.options.confined) this.authority.ceiling = mode;
    this.component.modeChanged({ mode, source });
  }

  /** The policy of a call without escalation, with its root in canonical spelling. */
  policy(): ExecutionPolicy {
    const policy = this.component.policy();
    return { ...policy, workspaceRoot: resolve(policy.workspaceRoot, "/").key };
  }

  policyText(): string {
    return this.component.policyText();
  }

  /** What was seen, as pages of text. */
  snapshot(): string[] {
    const pages: string[] = [];
    for (let number = 0; ; number += 1) {
      const page = this.component.snapshot(number);
      if (page === undefined) return pages;
      pages.push(page);
    }
  }

  restore(pages: string[]): void {
    for (const page of pages) this.component.restore(page);
  }

  /** A session for a sub-agent: what was seen and the mode, never grants. */
  async fork(id: string): Promise<Session> {
    const child = await Session.start(this.ground, { ...this.options, id });
    child.restore(this.snapshot());
    if (this.options.confined) child.setMode(this.authority.ceiling, "delegation");
    return child;
  }
}

function randomSeed() {
  const [low, high] = crypto.getRandomValues(new BigUint64Array(2));
  return { low: low as bigint, high: high as bigint };
}

function done(answer: Parameters<typeof value>[0]): Answer {
  return { ok: true, text: answer.text, value: value(answer) };
}

function trapped(why: string): Answer {
  const text = `Error: the component broke, and this session has ended: ${why}`;
  return { ok: false, code: "COMPONENT_TRAPPED", text };
}

function failed(error: unknown): Answer {
  if (error instanceof Misshapen) {
    return { ok: false, code: "INVALID_ARGUMENTS", text: `Error: ${error.message}` };
  }
  const failure = refusal<Failure>(error);
  return { ok: false, code: codeOf(failure), text: failure.text };
}

function codeOf(failure: Failure): string {
  const screaming = failure.kind.val.code.toUpperCase().replaceAll("-", "_");
  return failure.kind.tag === "file" ? `FS_${screaming}` : screaming;
}
