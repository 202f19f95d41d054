/**
 * The server's lines, the commands it has not confirmed, and the lines with those commands applied.
 *
 * A command is open while the person is still typing it, waits once it is complete, is sent, and leaves the queue when
 * the server confirms it. Only the last command can be open.
 */
import { apply, extended, stepped, type Model, type Outcome } from "../../model/apply";
import type { Command, EditCommand } from "../../model/commands";
import { linesOf, newId } from "../../model/commands";
import { canRedo, canUndo, inverse, travel, type Step } from "../../model/history";
import type { Captions, Line, LineSource, Saved } from "../../types";

export interface Entry {
  command: Command;
  open: boolean;
  sent: boolean;
  /** Sent, and whether the server did it is not known. */
  unanswered: boolean;
  /** Lines it touched when last applied. */
  touched: string[];
  /** How often the server refused it as out of date. */
  stale: number;
}

export class Optimistic {
  queue: Entry[] = [];
  /** The server's lines, and the history known to this page. */
  base: Model;
  /** The same with the queue applied. */
  model: Model;
  /** Whether the queue holds an undo or redo whose effect only the server knows. */
  unknown = false;
  /** The revision of `base`; another than that of `captions` after commands of an earlier visit were resumed. */
  private baseRevision: number;
  private beforeLast: Model;
  private served: { of: Captions; base: Model; captions: Captions } | undefined;

  constructor(public captions: Captions) {
    this.base = modelOf(captions);
    this.model = this.base;
    this.beforeLast = this.base;
    this.baseRevision = captions.revision;
  }

  /** The captions as the server has them, without the queue; the same object until they change. */
  server(): Captions {
    const { captions: of, base } = this;
    if (this.served?.of !== of || this.served.base !== base) {
      const history = { can_undo: canUndo(base), can_redo: canRedo(base) };
      this.served = {
        of,
        base,
        captions: { ...of, ...history, lines: base.lines, revision: this.baseRevision },
      };
    }
    return this.served.captions;
  }

  /** Whether this person may change the captions, which the server says with each state. */
  allow(may_change: boolean): void {
    if (this.captions.may_change !== may_change) this.captions = { ...this.captions, may_change };
  }

  find(id: string): Line | undefined {
    return this.model.lines.find((line) => line.id === id);
  }

  /** Apply a command and queue it. A command that changes nothing is not queued. */
  push(command: Command, open = false): Outcome {
    this.close();
    const outcome = apply(this.model, command);
    if (outcome.kind === "refused" || (outcome.kind === "done" && outcome.step === null)) {
      return outcome;
    }
    const step = outcome.kind === "done" ? outcome.step : null;
    this.beforeLast = this.model;
    if (outcome.kind === "done") this.model = outcome.model;
    this.unknown = outcome.kind === "unknown";
    this.queue.push({
      command,
      open,
      sent: false,
      unanswered: false,
      touched: idsOf(command, step),
      stale: 0,
    });
    return outcome;
  }

  /** Change a line; a further change to the line being typed joins the open command. */
  edit(line: string, change: Pick<EditCommand, "content" | "start" | "end">): Outcome {
    const last = this.queue.at(-1);
    const fresh: EditCommand = { id: newId(), action: "Edit", line, ...change };
    if (last?.open !== true || last.command.action !== "Edit" || last.command.line !== line) {
      return this.push(fresh, true);
    }
    const joined: EditCommand = { ...last.command, ...change };
    const outcome = apply(this.beforeLast, joined);
    if (outcome.kind !== "done") return outcome;
    this.model = outcome.model;
    last.command = joined;
    // Typed back to the original: nothing to send.
    if (outcome.step === null) this.queue.pop();
    return outcome;
  }

  /** Complete the command being typed. True if there was one. */
  close(): boolean {
    const last = this.queue.at(-1);
    if (last?.open !== true) return false;
    last.open = false;
    return true;
  }

  /** The server saved the first command: its answer replaces the expected result. */
  confirm(saved: Saved, revision: number): Step {
    const { command } = this.queue.shift() ?? { command: undefined };
    const touched = new Set([...saved.removed, ...saved.changed.map((line) => line.id)]);
    const step: Step = {
      before: this.base.lines.filter((line) => touched.has(line.id)),
      after: saved.changed,
    };
    if (step.before.length > 0 || step.after.length > 0)
      this.base = after(this.base, command, step);
    const { done, undone, olderDone, olderUndone } = this.base;
    this.base = {
      ...this.base,
      olderDone: done === null ? saved.can_undo : olderDone,
      olderUndone: undone === null ? saved.can_redo : olderUndone,
    };
    if (this.baseRevision === this.captions.revision) this.baseRevision = revision;
    // Undoing a new transcription restores the earlier language too.
    this.captions = { ...this.captions, revision, language: saved.language };
    this.refold();
    return step;
  }

  drop(entries: Entry[]): void {
    const gone = new Set(entries);
    this.queue = this.queue.filter((entry) => !gone.has(entry));
    this.refold();
  }

  /** Start over from a fetched state; the queue stays. */
  rebase(captions: Captions): void {
    this.captions = captions;
    this.base = modelOf(captions);
    this.baseRevision = captions.revision;
    this.refold();
  }

  /** Take what the lines translate from a state of the same revision: the source may have changed, and they did not. */
  relink({ lines }: Captions): void {
    const sources = new Map(lines.map(({ id, source }) => [id, source]));
    let differs = false;
    const linked = this.base.lines.map((line) => {
      const source = sources.get(line.id);
      if (source == null || sameSource(source, line.source)) return line;
      differs = true;
      return { ...line, source };
    });
    if (!differs) return;
    this.base = { ...this.base, lines: linked };
    this.refold();
  }

  /** Queue commands of an earlier visit, the first of which was based on `revision`. */
  recover(queue: Pick<Entry, "command" | "sent">[], revision: number): void {
    this.captions = { ...this.captions, revision };
    this.queue = queue.map(({ command, sent }) => ({
      command,
      sent,
      unanswered: sent,
      open: false,
      touched: linesOf(command),
      stale: 0,
    }));
    this.refold();
  }

  private refold(): void {
    this.model = this.base;
    this.beforeLast = this.base;
    this.unknown = false;
    for (const entry of this.queue) {
      this.beforeLast = this.model;
      const outcome = apply(this.model, entry.command);
      if (outcome.kind === "done") {
        this.model = outcome.model;
        entry.touched = idsOf(entry.command, outcome.step);
      }
      this.unknown ||= outcome.kind === "unknown";
    }
  }
}

const sameSource = (a: LineSource, b: LineSource | null): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

const modelOf = ({ lines, can_undo, can_redo }: Captions): Model => ({
  lines,
  done: null,
  undone: null,
  olderDone: can_undo,
  olderUndone: can_redo,
});

function idsOf(command: Command, step: Step | null): string[] {
  const lines = [...(step?.before ?? []), ...(step?.after ?? [])];
  return [...new Set([...linesOf(command), ...lines.map((line) => line.id)])];
}

/** The model after a change as the server made it. */
function after(model: Model, command: Command | undefined, step: Step): Model {
  const lines = stepped(model.lines, step);
  if (command?.action !== "Undo" && command?.action !== "Redo") return extended(model, step);
  const travelled = travel(model, command.action);
  if (typeof travelled !== "string") {
    const { done, undone, olderDone, olderUndone } = travelled;
    return { lines, done, undone, olderDone, olderUndone };
  }
  return command.action === "Undo"
    ? { ...model, lines, undone: { step: inverse(step), rest: model.undone } }
    : { ...model, lines, done: { step, rest: model.done } };
}
