/**
 * The captions of one file while they are edited. Every command shows at once and is sent afterwards, one at a time.
 * Nothing is ever saved over somebody else's change. It lives outside React, so a keystroke redraws one row.
 *
 * Two states decide what the person can do and see. Whether the lines can be changed:
 *
 * | lines    | while                                                       | write, retime | run      |
 * | -------- | ----------------------------------------------------------- | ------------- | -------- |
 * | live     | the transcription runs                                      | ignored       | refused  |
 * | locked   | the effect of an undo, or of a reload, is not known yet     | ignored       | refused  |
 * | closed   | they are gone, or this person may only look                 | ignored       | refused  |
 * | editable | otherwise                                                   | shown         | shown    |
 *
 * And what `view.save` says; the first row that applies wins:
 *
 * | save     | while                                                       | left by                            |
 * | -------- | ----------------------------------------------------------- | ---------------------------------- |
 * | conflict | a text can only be saved by the person's choice             | `resolve`; nothing is sent before  |
 * | failed   | the last call failed and waits (`Sender.phase`)             | the retry delay, `retry`, online   |
 * | saving   | a command is on its way, or a complete one waits its turn   | the server's answer                |
 * | unsaved  | a command is still being typed, or a text was refused       | `flush` after 900 ms, a correction |
 * | saved    | nothing is queued                                           | `write`, `retime`, `run`           |
 *
 * `settled` waits while `saving`. The transitions between fetched and assumed state are in `Exchange`.
 */
import { t } from "../../../platform/messages/editor";
import { apply } from "../model/apply";
import { linesOf, newId, type Change, type Command } from "../model/commands";
import { canRedo, canUndo } from "../model/history";
import { roomBeside, startedAt } from "../timeline";
import type { Captions } from "../types";
import type { Written } from "../unsavedText";
import { Exchange } from "./Exchange";
import type { Server } from "./server";
import type { Hooks, Ran } from "./hooks";
import type { Journal } from "./journal";
import { saveStateOf } from "./saveState";
import { Sender } from "./Sender";
import type { View } from "./state";

export const AUTOSAVE_MS = 900;

const LOCKED = t("stillSaving");
const READ_ONLY = t("readOnlyKey");
const NO_ROOM = t("noRoomForThis");

export class EditorStore {
  private view: View;
  private readonly exchange: Exchange;
  private readonly sender: Sender;
  private readonly listeners = new Set<() => void>();
  private fetched = 0;
  private autosave: ReturnType<typeof setTimeout> | undefined;

  constructor(
    captions: Captions,
    server: Server,
    private readonly journal: Journal,
    private readonly hooks: Hooks,
  ) {
    const onChange = () => this.publish();
    this.exchange = new Exchange(captions, server, { onProblem: hooks.onProblem, onChange });
    this.sender = new Sender(() => this.exchange.next(), onChange);
    this.view = this.look();
    if (!captions.is_live) this.recover();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly get = (): View => this.view;

  /** A fresh state from the server. */
  receive(captions: Captions): void {
    const wasLive = this.exchange.lines.captions.is_live;
    this.exchange.receive(captions);
    if (wasLive && !captions.is_live) this.recover();
    this.sender.wake();
    this.publish();
  }

  /** An event says that the captions have this revision now. What others changed is fetched and joined. */
  expect(revision: number): void {
    this.exchange.expect(revision);
    if (!this.exchange.lines.captions.is_live) this.sender.wake();
  }

  /** Events may have been lost: look for what others changed. False for a draft, which has no changes. */
  check(): boolean {
    if (this.exchange.lines.captions.is_live) return false;
    this.exchange.check();
    this.sender.retry();
    return true;
  }

  /** The text in a line's box. */
  write(id: string, text: string): void {
    if (this.readOnly) return;
    const { lines, typing } = this.exchange;
    if (lines.edit(id, { content: text }).kind !== "done") return;
    typing.write(id, text);
    this.saveSoon();
    this.publish();
  }

  /** New edges of a line in milliseconds. They stop at the neighbours. */
  retime(id: string, change: { start_ms?: number; end_ms?: number }): void {
    if (this.readOnly) return;
    const times = { start: change.start_ms, end: change.end_ms };
    const outcome = this.exchange.lines.edit(id, dropUndefined(times));
    if (outcome.kind === "refused") this.hooks.onProblem(outcome.message);
    this.saveSoon();
    this.publish();
  }

  /** Run a command: it shows at once and is sent after everything before it. */
  run(change: Change): Ran {
    const { lines, typing } = this.exchange;
    if (lines.captions.is_live) return { kind: "refused" };
    if (!lines.captions.may_change) return this.refused(READ_ONLY);
    if (this.exchange.locked) return this.refused(LOCKED);
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
        : { kind: "waiting", step: this.exchange.answerTo(entry) };
    this.flush();
    return ran;
  }

  /** The person left the line: its box shows the line's text. */
  leave(id: string): void {
    this.exchange.typing.leave(id);
    this.flush();
  }

  /** Send everything now. */
  flush(): void {
    clearTimeout(this.autosave);
    this.exchange.lines.close();
    this.sender.wake();
    this.publish();
  }

  /** Send everything. Resolves to true once all is saved, to false if something waits for the network or the person. */
  settled(): Promise<boolean> {
    this.flush();
    return new Promise((resolve) => {
      const look = () => {
        const { kind } = this.view.save;
        if (kind === "saving") return;
        stop();
        resolve(kind === "saved");
      };
      const stop = this.subscribe(look);
      look();
    });
  }

  /** Retry what failed, without waiting. */
  retry(): void {
    this.flush();
    this.sender.retry();
  }

  /** Resolve a conflict: save mine in place of theirs, or discard mine. Returns the line that now holds the text. */
  resolve(choice: "mine" | "theirs"): string | undefined {
    const [conflict, ...rest] = this.exchange.conflicts;
    if (conflict === undefined) return undefined;
    const [first, ...others] = conflict.ids;
    let id = first;
    if (choice === "mine" && first === undefined) {
      id = this.addNear(conflict.start_ms, conflict.end_ms, conflict.mine);
      if (id === undefined) return undefined;
    } else if (choice === "mine" && first !== undefined) {
      const { lines } = this.exchange;
      for (const other of others) {
        lines.push({ id: newId(), action: "Merge", line: first, with: other });
      }
      lines.edit(first, { content: conflict.mine });
    }
    this.exchange.conflicts = rest;
    this.flush();
    return id;
  }

  /** The texts that the person wrote and that are not saved. */
  written(): Written[] {
    return this.exchange.written();
  }

  /** Give up everything that is not saved. */
  discard(): void {
    this.exchange.discard();
    this.retry();
  }

  dispose(): void {
    this.flush();
    this.sender.stop();
  }

  private get readOnly(): boolean {
    const { is_live, may_change } = this.exchange.lines.captions;
    return this.exchange.locked || is_live || !may_change;
  }

  private refused(message: string): Ran {
    this.hooks.onProblem(message);
    return { kind: "refused" };
  }

  /** A new line at that time, or in the free time beside it; undefined if there is none. */
  private addNear(start: number, end: number, content: string): string | undefined {
    const { lines } = this.exchange;
    const all = lines.model.lines;
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

  private saveSoon(): void {
    clearTimeout(this.autosave);
    this.autosave = setTimeout(() => this.flush(), AUTOSAVE_MS);
  }

  private recover(): void {
    const journalled = this.journal.read();
    if (journalled === undefined) return;
    this.exchange.recover(journalled);
    this.flush();
  }

  /** Resume what other pages left, once everything of this one is saved: its commands are based on other lines. */
  resume(): void {
    if (!this.exchange.lines.captions.is_live && this.view.save.kind === "saved") this.recover();
  }

  private publish(): void {
    const before = this.view;
    this.view = this.look();
    const { captions } = this.exchange.lines;
    if (!captions.is_live) this.keep();
    const isNewer = this.fetched !== this.exchange.loads;
    this.fetched = this.exchange.loads;
    if (this.view.save.kind === "saved" && (before.save.kind !== "saved" || isNewer)) {
      this.hooks.onSaved(this.view.captions);
    }
    for (const listener of this.listeners) listener();
    this.resume();
  }

  private keep(): void {
    this.journal.write(this.exchange.journalled(), this.exchange.lines.server());
  }

  private look(): View {
    const { lines, typing, locked } = this.exchange;
    const { model } = lines;
    const history = { can_undo: canUndo(model), can_redo: canRedo(model) };
    return {
      captions: { ...lines.captions, ...history, lines: model.lines },
      typed: typing.all,
      locked,
      save: saveStateOf(this.exchange, this.sender.phase, this.view?.save),
    };
  }
}

function dropUndefined<T extends object>(value: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}
