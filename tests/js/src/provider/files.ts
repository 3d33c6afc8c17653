// Files under one policy: what the toolbox holds. Mutations are methods, and each passes
// the fence first.

import type {
  DirEntry,
  Edit,
  EditGuard,
  ExecutionPolicy,
  Mutation,
  ReadWindow,
  Report,
  Target,
  TextWindow,
  WriteGuard,
} from "../../generated/tools/interfaces/dsh-fs-types.js";
import type { Root as Texts } from "../../generated/texts/texts.js";
import { read, type Content, type Versions } from "./content.js";
import { cannot, failure } from "./failure.js";
import { Folder, type Roots } from "./fence.js";
import { hunks } from "./hunks.js";
import { list } from "./list.js";
import { create, replace, unmake, type Published } from "./publish.js";
import { shown } from "./names.js";
import { resolve } from "./resolve.js";
import { refusal } from "../refusal.js";

/** What a handle is made of. */
export interface Ground {
  roots: Roots;
  texts: Texts["text"];
  versions: Versions;
  /** Whether a mutation without a guard is refused. */
  guarded: boolean;
  /** Whether a person withdrew the running call. */
  aborted: () => boolean;
}

export class Files {
  private used = false;

  constructor(
    private readonly ground: Ground,
    private readonly policy: ExecutionPolicy,
    private readonly only: string | undefined,
  ) {}

  resolve(path: string, base: string | undefined): Target {
    this.look("resolve");
    return resolve(path, base ?? this.policy.workspaceRoot);
  }

  processPath(key: string): string {
    return key;
  }

  readWindow(target: Target, window: ReadWindow): TextWindow {
    this.look("read");
    const content = this.read("read", target);
    return this.ground.texts.show(content.text, content.version, window);
  }

  listDir(target: Target): DirEntry[] {
    this.look("list");
    return list(target);
  }

  writeText(target: Target, content: string, guard: WriteGuard, report: Report): Mutation {
    const root = this.admit("write", target, guard.tag !== "unconditional");
    this.look("write");
    const bytes = Buffer.from(content);
    const made: Buffer[] = [];
    const old = this.old(target, guard);
    try {
      using folder = Folder.of(target, root, "write", made);
      const published = this.publish(folder, target, bytes, old);
      return this.told(target, old?.text, content, old?.version, published, report);
    } catch (error) {
      unmake(made);
      throw error;
    }
  }

  editText(target: Target, edit: Edit, guard: EditGuard, report: Report): Mutation {
    const root = this.admit("edit", target, guard.tag !== "unconditional");
    this.look("edit");
    const old = this.editable(target, guard);
    const edited = this.edited(target, old, edit);
    using folder = Folder.of(target, root, "edit", []);
    const same = () => this.stillThere("edit", target, old.version);
    const bytes = Buffer.from(edited.content);
    const published = replace(folder, target, bytes, old.stats, "edit", same);
    const told = this.told(target, old.text, edited.content, old.version, published, report);
    return { ...told, replacements: edited.replacements };
  }

  private publish(
    folder: Folder,
    target: Target,
    bytes: Buffer,
    old: Content | undefined,
  ): Published {
    if (old === undefined) return create(folder, target, bytes);
    const same = () => this.stillThere("write", target, old.version);
    return replace(folder, target, bytes, old.stats, "write", same);
  }

  /** What a write would displace; the guard is compared with it first. */
  private old(target: Target, guard: WriteGuard): Content | undefined {
    if (guard.tag === "create-if-absent") return undefined;
    const display = target.displayPath;
    const old = this.found("write", target);
    if (guard.tag === "unconditional") return old;
    if (old === undefined) throw cannot("stale-version", "write", display, "file no longer exists");
    if (old.version !== guard.val) throw stale("write", display);
    return old;
  }

  private editable(target: Target, guard: EditGuard): Content {
    const display = target.displayPath;
    const old = this.found("edit", target);
    if (old === undefined) {
      throw guard.tag === "if-version"
        ? cannot("stale-version", "edit", display, "file no longer exists")
        : cannot("not-found", "edit", display, "not found");
    }
    if (guard.tag === "if-version" && old.version !== guard.val) throw stale("edit", display);
    return old;
  }

  private edited(target: Target, old: Content, edit: Edit) {
    try {
      return this.ground.texts.applyEdit(old.text, edit);
    } catch (error) {
      throw refusedEdit(target, refusal<EditRefusal>(error));
    }
  }

  private stillThere(verb: string, target: Target, version: string): void {
    if (this.found(verb, target)?.version !== version) throw stale(verb, target.displayPath);
  }

  private found(verb: string, target: Target): Content | undefined {
    try {
      return this.read(verb, target);
    } catch (error) {
      if ((error as { code?: string }).code === "not-found") return undefined;
      throw error;
    }
  }

  private read(verb: string, target: Target): Content {
    return read(verb, target.key, target.displayPath, this.ground.versions);
  }

  /** The root of a mutation that may happen. A granted handle is good for one. */
  private admit(verb: string, target: Target, guarded: boolean): string {
    const display = target.displayPath;
    if (this.policy.mode === "read-only") return this.ground.roots.admitting(target, "read-only");
    if (this.ground.guarded && !guarded) {
      throw cannot("not-observed", verb, display, "no guard was given");
    }
    if (this.only !== undefined && (this.only !== target.key || this.used)) {
      const reason = `file access denied under ${this.policy.mode} mode`;
      throw cannot("sandbox-denied", "write", display, reason, "the approval is not for this");
    }
    const root = this.ground.roots.admitting(target, this.policy.mode);
    this.used = true;
    return root;
  }

  private told(
    target: Target,
    before: string | undefined,
    after: string,
    previous: string | undefined,
    published: Published,
    report: Report,
  ): Mutation {
    const changed = report.hunks ? hunks(before, after) : { hunks: [], cut: false };
    return {
      operation: previous === undefined ? "create" : "update",
      target,
      version: this.ground.versions.of(Buffer.from(after)),
      previous,
      replacements: undefined,
      grade: published.grade,
      gradeReason: published.reason,
      hunks: changed.hunks,
      hunksCut: changed.cut,
      before: report.texts ? before : undefined,
      after: report.texts ? after : undefined,
    };
  }

  private look(verb: string): void {
    if (this.ground.aborted()) throw failure("aborted", `${verb} aborted`);
  }
}

type EditRefusal = import("../../generated/texts/interfaces/dsh-fs-text.js").EditRefusal;

function stale(verb: string, display: string) {
  return cannot("stale-version", verb, display, "file changed since it was read");
}

function refusedEdit(target: Target, refusal: EditRefusal) {
  const path = shown(target.displayPath);
  switch (refusal.tag) {
    case "empty":
      return failure("edit-not-found", "old_string must be a non-empty string", path);
    case "same":
      return failure("edit-not-found", `old_string and new_string leave "${path}" as it is`, path);
    case "not-found":
      return failure("edit-not-found", `old_string was not found in "${path}"`, path, refusal.val);
    case "ambiguous": {
      const message =
        `old_string matched ${refusal.val.count} times in "${path}"; provide a more specific ` +
        "old_string or set replace_all to true";
      const lines = [...refusal.val.lines].join(", ");
      return failure("ambiguous-edit", message, path, `it begins at lines ${lines}`);
    }
  }
}
