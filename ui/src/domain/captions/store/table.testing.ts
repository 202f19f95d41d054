/** The server's side of editing in memory, for tests of the store. The rules of the lines are those of the reducer. */
import { ApiError } from "../../../platform/api/client";
import { StaleLine } from "../calls";
import { apply, type Model } from "../model/apply";
import { newId, type AddedLine, type Command, type LineChange } from "../model/commands";
import { canRedo, canUndo } from "../model/history";
import { newLine } from "../model/line";
import { spread } from "../model/realign";
import { cleanText, wordUnits } from "../model/text";
import type { CaptionEdit, Captions, Line, Saved } from "../types";
import type { Journal, Journalled } from "./exchange/journal";

export const line = (id: string, start_ms: number, text: string): Line => ({
  ...newLine(id, start_ms, start_ms + 1_000),
  text,
  words: spread(wordUnits(text), start_ms, start_ms + 1_000).map((word) => ({
    ...word,
    confidence: 0.9,
    origin: "asr" as const,
  })),
});

/** The fields of every edit, as a server that trusts nobody reads them. */
interface FlatEdit {
  action: CaptionEdit["action"];
  issued: number;
  command?: string | null;
  line?: string | null;
  with?: string | null;
  content?: string | null;
  start?: string | number | null;
  end?: string | number | null;
  at?: number;
  new_line?: string | null;
  label?: string;
  changes?: LineChange[];
  added?: AddedLine[];
  removed?: string[];
  with_words?: boolean;
}

/** A revision for each change, a stale line is refused, and a command is done once however often it arrives. */
export class Table {
  model: Model;
  revision = 0;
  /** Calls that arrived, in order. */
  sent: FlatEdit[] = [];
  /** What becomes of a call: an error before it is done, or after it. */
  before: (() => Error | undefined) | undefined;
  after: (() => Error | undefined) | undefined;
  mayChange = true;
  /** Milliseconds that a call takes to arrive, and its answer to come back. */
  travelMs = 0;
  private readonly answers = new Map<string, Saved>();
  private readonly touched = new Map<string, number>();

  constructor(lines = [line("a", 0, "one"), line("b", 2_000, "two"), line("c", 4_000, "three")]) {
    this.model = { lines, done: null, undone: null, olderDone: false, olderUndone: false };
  }

  get texts(): string[] {
    return this.model.lines.map((one) => one.text);
  }

  captions = (): Captions => ({
    id: "t",
    file_slug: "f",
    language: "en-US",
    subtitle: "",
    revision: this.revision,
    is_live: false,
    lines: this.model.lines,
    can_undo: canUndo(this.model),
    can_redo: canRedo(this.model),
    first_line: 0,
    draft: null,
    source_language: null,
    may_change: this.mayChange,
  });

  load = async (): Promise<Captions> => {
    await this.travel();
    const captions = this.captions();
    await this.travel();
    return captions;
  };

  save = async (edit: CaptionEdit): Promise<Saved> => {
    await this.travel();
    const problem = this.before?.();
    if (problem !== undefined) throw problem;
    this.sent.push(edit);
    const saved = this.answers.get(edit.command ?? "") ?? this.done(edit);
    this.answers.set(edit.command ?? "", saved);
    await this.travel();
    const lost = this.after?.();
    if (lost !== undefined) throw lost;
    return saved;
  };

  /** A change of every line that changes no text, as new speakers are. */
  touch(): void {
    this.revision += 1;
    for (const { id } of this.model.lines) this.touched.set(id, this.revision);
  }

  /** Somebody else's change. */
  others(change: Partial<FlatEdit> & Pick<FlatEdit, "action">): void {
    this.done({ issued: this.revision, command: newId(), ...change });
  }

  private done(edit: FlatEdit): Saved {
    const command = fromCall(edit);
    const travels = command.action === "Undo" || command.action === "Redo";
    if (travels && edit.issued < this.revision) throw new StaleLine("seen?", this.revision, null);
    const many = [...(edit.changes ?? []).map(({ line }) => line), ...(edit.removed ?? [])];
    for (const id of [edit.line, edit.with, ...many]) {
      if (id == null) continue;
      const held = this.model.lines.find((one) => one.id === id);
      const same = edit.action === "Edit" && held?.text === cleanText(edit.content ?? "");
      if (held === undefined) throw new StaleLine("gone", this.revision, null);
      if ((this.touched.get(id) ?? 0) > edit.issued && !same) {
        throw new StaleLine("changed", this.revision, held);
      }
    }
    const outcome = apply(this.model, command);
    if (outcome.kind !== "done") throw new ApiError(422, "That cannot be done.");
    this.model = outcome.model;
    const { before, after } = outcome.step ?? { before: [], after: [] };
    if (outcome.step !== null) this.revision += 1;
    const kept = new Set(after.map(({ id }) => id));
    for (const { id } of [...before, ...after]) this.touched.set(id, this.revision);
    return {
      revision: this.revision,
      language: "en-US",
      changed: after,
      removed: before.map(({ id }) => id).filter((id) => !kept.has(id)),
      can_undo: canUndo(this.model),
      can_redo: canRedo(this.model),
      followed: [],
    };
  }

  private travel(): Promise<void> {
    if (this.travelMs === 0) return Promise.resolve();
    return new Promise((resolve) => setTimeout(resolve, this.travelMs));
  }
}

function fromCall(edit: FlatEdit): Command {
  const { action, command, content, start, end } = edit;
  const { label = "", changes, added, removed, with_words } = edit;
  if (action === "Change") {
    return { id: command ?? "", action, label, changes, added, removed, with_words };
  }
  const present = Object.entries({ content, start, end }).filter(([, value]) => value != null);
  return {
    ...Object.fromEntries(present),
    id: command ?? "",
    action,
    line: edit.line,
    with: edit.with,
    at: edit.at,
    newLine: edit.new_line ?? newId(),
  } as unknown as Command;
}

export const memory = (): Journal & { kept: Journalled | undefined } => ({
  kept: undefined,
  read() {
    return this.kept;
  },
  write(journalled) {
    // As localStorage does it: values, not the same objects.
    this.kept = journalled && (JSON.parse(JSON.stringify(journalled)) as Journalled);
  },
});
