// Sessions over the provider of node:fs, and calls of their tools.

import { tmpdir } from "node:os";

import type { Asked, Decision } from "../provider/authority.js";
import { Versions } from "../provider/content.js";
import type { Ground } from "../provider/files.js";
import { Roots } from "../provider/fence.js";
import { Session, type SessionOptions } from "../session.js";
import { Refused, type Functions } from "./main.js";
import { camel, record } from "./values.js";

interface Open {
  session: string | null;
  cwd: string | null;
  root: string;
  mode: SessionOptions["mode"];
  confined: boolean;
  guarded: boolean;
  gate: SessionOptions["gate"];
  approval: Decision | null;
  limits: Record<string, unknown>;
  "temporary-roots": boolean;
  "extra-roots": string[];
  protected: string[];
}

export class Sessions {
  private open: Session[] = [];
  private questions: Asked[] = [];
  private versions = new Versions();
  private aborted = false;

  constructor(private readonly texts: Ground["texts"]) {}

  functions(): Functions {
    const of = (handle: number) => this.open[handle] as Session;
    return {
      "tools.open": (args) => this.start(args as unknown as Open),
      "tools.call": ({ session, tool, args, abort }) => this.call(of(session), tool, args, abort),
      "tools.set-mode": ({ session, mode }) => of(session).setMode(mode),
      "tools.policy": ({ session }) => record(of(session).policy()),
      "tools.policy-text": ({ session }) => of(session).policyText(),
      "tools.snapshot": ({ session }) => of(session).snapshot(),
      "tools.restore": ({ session, pages }) => of(session).restore(pages),
      "tools.fork": async ({ session, name }) => this.open.push(await of(session).fork(name)) - 1,
      "tools.questions": () => this.questions,
      "tools.reset": () => {
        this.open = [];
        this.questions = [];
      },
    };
  }

  private async start(given: Open): Promise<number> {
    const cwd = given.cwd ?? undefined;
    const temporary = given["temporary-roots"] ? ["/tmp", tmpdir()] : [];
    const roots = new Roots({
      workspace: cwd ?? given.root,
      extra: [...temporary, ...given["extra-roots"]],
      protected: given.protected,
    });
    const ground: Ground = {
      roots,
      texts: this.texts,
      versions: this.versions,
      guarded: given.guarded,
      aborted: () => this.aborted,
    };
    const session = await Session.start(ground, {
      id: given.session ?? undefined,
      cwd,
      root: given.root,
      mode: given.mode,
      confined: given.confined,
      gate: given.gate,
      limits: camel(given.limits),
      person: given.approval === null ? undefined : (asked) => this.ask(asked, given.approval),
    });
    return this.open.push(session) - 1;
  }

  private call(session: Session, tool: string, args: unknown, abort: boolean): unknown {
    this.aborted = abort;
    const answer = session.call(tool, args);
    this.aborted = false;
    if (!answer.ok) throw new Refused({ code: answer.code, text: answer.text });
    return { text: answer.text, value: answer.value };
  }

  private ask(asked: Asked, answer: Decision | null): Decision {
    this.questions.push(asked);
    return answer ?? "unavailable";
  }
}
