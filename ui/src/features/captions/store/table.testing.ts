/** The server's side of editing in small, for tests of the store. */
import { expect } from "vitest";
import { StaleLine } from "../calls";
import type { CaptionEdit, Captions, Line, Saved } from "../types";
import type { Journal, Kept } from "./journal";

export const line = (id: string, start_ms: number, text: string, revision = 0): Line => ({
  id,
  start_ms,
  end_ms: start_ms + 1_000,
  text,
  revision,
  startTime: "",
  endTime: "",
  startSeconds: start_ms / 1000,
  endSeconds: start_ms / 1000 + 1,
  words: [],
  doubts: [],
});

/** The server's rules in small: a revision for each change, and a stale line is refused with its newest text. */
export class Table {
  lines = [line("a", 0, "one"), line("b", 2_000, "two"), line("c", 4_000, "three")];
  revision = 0;
  sent: CaptionEdit[] = [];
  answer: (() => Error | undefined) | undefined;

  captions = (): Captions => ({
    id: "t",
    file_slug: "f",
    language: "en-US",
    subtitle: "",
    revision: this.revision,
    is_live: false,
    lines: [...this.lines],
    can_undo: this.revision > 0,
    can_redo: false,
  });

  write(id: string, text: string): Line {
    this.revision += 1;
    const old = this.lines.find((one) => one.id === id) ?? expect.fail(`no line ${id}`);
    const next = { ...old, text, revision: this.revision };
    this.lines = this.lines.map((one) => (one.id === id ? next : one));
    return next;
  }

  save = async (edit: CaptionEdit): Promise<Saved> => {
    await Promise.resolve();
    const problem = this.answer?.();
    if (problem !== undefined) throw problem;
    this.sent.push(edit);
    const held = this.lines.find((one) => one.id === edit.line);
    if (held === undefined && edit.action !== "Add") {
      throw new StaleLine("gone", this.revision, null);
    }
    if (held !== undefined && held.revision > edit.issued) {
      throw new StaleLine("changed", this.revision, held);
    }
    let changed: Line[] = [];
    let removed: string[] = [];
    if (edit.action === "Edit") changed = [this.write(edit.line ?? "", edit.content ?? "")];
    if (edit.action === "Delete") {
      this.revision += 1;
      removed = [edit.line ?? ""];
      this.lines = this.lines.filter((one) => one.id !== edit.line);
    }
    if (edit.action === "Add") {
      this.revision += 1;
      changed = [line("new", Number(edit.start), edit.content ?? "", this.revision)];
      this.lines = [...this.lines, ...changed];
    }
    return {
      revision: this.revision,
      language: "en-US",
      changed,
      removed,
      can_undo: true,
      can_redo: false,
    };
  };
}

export const memory = (kept: Kept[] = []): Journal & { kept: Kept[] } => ({
  kept,
  read() {
    return this.kept;
  },
  write(next) {
    this.kept = next;
  },
});
