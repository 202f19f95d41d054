import { t } from "../../../platform/messages/editor";
import { inLane } from "../lanes";
import { apply } from "../model/apply";
import { linesOf, newId, type Change, type Command } from "../model/commands";
import { roomBeside, startedAt } from "../timeline";
import type { Ran } from "./hooks";
import { TrackStore } from "./TrackStore";

const LOCKED = t("stillSaving");
const READ_ONLY = t("readOnlyKey");
const NO_ROOM = t("noRoomForThis");

/** What a person does to captions: each command shows at once and is saved afterwards, as `TrackStore` says. */
export class EditorStore extends TrackStore {
  /** The text in a line's box. */
  write(id: string, text: string): void {
    if (this.readOnly) return;
    const { lines, typing } = this.pending;
    if (lines.edit(id, { content: text }).kind !== "done") return;
    typing.write(id, text);
    this.saveSoon();
    this.publish();
  }

  /** New edges of a line in milliseconds. They stop at the neighbours. */
  retime(id: string, change: { start_ms?: number; end_ms?: number }): void {
    if (this.readOnly) return;
    const times = { start: change.start_ms, end: change.end_ms };
    const outcome = this.pending.lines.edit(id, dropUndefined(times));
    if (outcome.kind === "refused") this.hooks.onProblem(outcome.message);
    this.saveSoon();
    this.publish();
  }

  /** Run a command: it shows at once and is sent after everything before it. */
  run(change: Change): Ran {
    const { lines, typing } = this.pending;
    if (lines.captions.is_live) return { kind: "refused" };
    if (!lines.captions.may_change) return this.refused(READ_ONLY);
    if (this.pending.locked) return this.refused(LOCKED);
    const command = { ...change, id: newId() } as Command;
    if (command.action === "Merge") {
      const problem = linesOf(command).map((id) => typing.all.get(id)?.problem);
      const first = problem.find((sentence) => sentence !== undefined);
      if (first !== undefined) return this.refused(first);
    }
    const outcome = lines.push(command);
    if (outcome.kind === "refused") return this.refused(outcome.message);
    const touched = outcome.kind === "done" ? (outcome.step?.before ?? []) : [];
    typing.forget([...linesOf(command), ...touched.map((line) => line.id)]);
    const entry = lines.queue.at(-1);
    const ran: Ran =
      outcome.kind === "done" || entry === undefined
        ? { kind: "done", step: outcome.kind === "done" ? outcome.step : null }
        : { kind: "waiting", step: this.pending.answerTo(entry) };
    this.flush();
    return ran;
  }

  /** The person left the line: its box shows the line's text. */
  leave(id: string): void {
    this.pending.typing.leave(id);
    this.flush();
  }

  /** Resolve a conflict: save mine in place of theirs, or discard mine. Returns the line that now holds the text. */
  resolve(choice: "mine" | "theirs"): string | undefined {
    const [conflict, ...rest] = this.pending.conflicts;
    if (conflict === undefined) return undefined;
    const [first, ...others] = conflict.ids;
    let id = first;
    if (choice === "mine" && first === undefined) {
      id = this.addNear(conflict.start_ms, conflict.end_ms, conflict.mine);
      if (id === undefined) return undefined;
    } else if (choice === "mine" && first !== undefined) {
      const { lines } = this.pending;
      for (const other of others) {
        lines.push({ id: newId(), action: "Merge", line: first, with: other });
      }
      lines.edit(first, { content: conflict.mine });
    }
    this.pending.conflicts = rest;
    this.flush();
    return id;
  }

  private get readOnly(): boolean {
    const { is_live, may_change } = this.pending.lines.captions;
    return this.pending.locked || is_live || !may_change;
  }

  private refused(message: string): Ran {
    this.hooks.onProblem(message);
    return { kind: "refused" };
  }

  /** A new line at that time, or in the free time beside it; undefined if there is none. */
  private addNear(start: number, end: number, content: string): string | undefined {
    const { lines } = this.pending;
    const all = inLane(lines.model.lines, "bottom");
    const index = startedAt(all, start);
    const spans = [
      { start, end },
      roomBeside(all, index, "after"),
      roomBeside(all, index, "before"),
    ];
    for (const span of spans) {
      if (span === undefined) continue;
      const newLine = newId();
      const command: Command = { id: newId(), action: "Add", newLine, ...span, content };
      if (apply(lines.model, command).kind !== "done") continue;
      lines.push(command);
      return newLine;
    }
    this.hooks.onProblem(NO_ROOM);
    return undefined;
  }
}

function dropUndefined<T extends object>(value: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}
