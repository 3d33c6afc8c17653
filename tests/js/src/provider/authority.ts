// What one session may do: its ceiling, and the permissions that a person gave. It lives
// with the embedder; the component can only ask.

import { randomUUID } from "node:crypto";

import type { ExecutionPolicy, SandboxMode } from "../../generated/tools/interfaces/dsh-fs-types.js";
import type { Answer, Question } from "../../generated/tools/interfaces/dsh-fs-approval.js";
import { failure } from "./failure.js";
import { Files, type Ground } from "./files.js";
import { shown } from "./names.js";
import { resolve } from "./resolve.js";

const ORDER: SandboxMode[] = ["read-only", "workspace-write", "danger-full-access"];

/** What a person is asked. */
export interface Asked {
  toolName: string;
  path: string;
  mode: SandboxMode;
  justification: string;
  session: string | undefined;
}

export type Decision = "allowed-once" | "rejected" | "cancelled" | "unavailable";

export class Authority {
  /** The tool that is running, as the embedder called it. */
  running = "";
  private readonly grants = new Map<string, { tool: string; key: string; mode: SandboxMode }>();

  constructor(
    private readonly ground: Ground,
    private readonly root: string,
    public ceiling: SandboxMode,
    private readonly session: string | undefined,
    private readonly person: (question: Asked) => Decision,
  ) {}

  /** `dsh:fs/filesystem.open` */
  open(policy: ExecutionPolicy, grant: string | undefined): Files {
    if (policy.workspaceRoot !== this.root) throw this.tooWide(policy.mode);
    const bound = { ...policy, workspaceRoot: this.root };
    if (grant !== undefined) {
      const only = this.redeem(grant, this.running, policy.mode);
      return new Files(this.ground, bound, only);
    }
    if (ORDER.indexOf(policy.mode) > ORDER.indexOf(this.ceiling)) throw this.tooWide(policy.mode);
    return new Files(this.ground, bound, undefined);
  }

  /** `dsh:fs/approval.ask` */
  ask(question: Question): Answer {
    const canonical = resolve(question.key, "/").key === question.key;
    if (question.tool !== this.running || !canonical || question.key.startsWith("/proc/")) {
      return { tag: "unavailable" };
    }
    const decision = this.person({
      toolName: question.tool,
      path: shown(question.key),
      mode: question.mode,
      justification: shown(question.justification),
      session: this.session,
    });
    if (decision !== "allowed-once") return { tag: decision };
    const token = randomUUID();
    this.grants.set(token, { tool: question.tool, key: question.key, mode: question.mode });
    return { tag: "allowed-once", val: token };
  }

  /** What was allowed once is not left lying about. */
  endCall(): void {
    this.grants.clear();
  }

  /** Uses a grant up; answers the one target that it is good for. */
  private redeem(token: string, tool: string, mode: SandboxMode): string {
    const grant = this.grants.get(token);
    this.grants.delete(token);
    if (grant === undefined || grant.tool !== tool || grant.mode !== mode) {
      throw failure("sandbox-denied", "the permission is not good for this");
    }
    return grant.key;
  }

  private tooWide(mode: SandboxMode) {
    return failure("sandbox-denied", `this session may not open files under ${mode} mode`);
  }
}
