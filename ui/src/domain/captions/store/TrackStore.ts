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
 * `settled` waits while `saving`. Commands are in `EditorStore`, the transitions between fetched and assumed
 * state in `Exchange`.
 */
import type { Captions } from "../types";
import type { Written } from "../unsavedText";
import { canRedo, canUndo } from "../model/history";
import { Exchange } from "./exchange/Exchange";
import type { Server } from "./exchange/server";
import type { Hooks } from "./hooks";
import type { Journal } from "./exchange/journal";
import { Pending } from "./exchange/Pending";
import { saveStateOf } from "./saveState";
import { Sender } from "./exchange/Sender";
import type { View } from "./state";

export const AUTOSAVE_MS = 900;

/** Captions as a person sees them: fetched, kept in step with others, saved and left. */
export class TrackStore {
  protected readonly pending: Pending;
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
    protected readonly hooks: Hooks,
  ) {
    const onChange = () => this.publish();
    this.pending = new Pending(captions, hooks);
    this.exchange = new Exchange(this.pending, server, { onProblem: hooks.onProblem, onChange });
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
    const wasLive = this.pending.lines.captions.is_live;
    this.exchange.receive(captions);
    if (wasLive && !captions.is_live) this.recover();
    this.sender.wake();
    this.publish();
  }

  /** An event says that the captions have this revision now. What others changed is fetched and joined. */
  expect(revision: number): void {
    this.exchange.expect(revision);
    if (!this.pending.lines.captions.is_live) this.sender.wake();
  }

  /** Events may have been lost: look for what others changed. False for a draft, which has no changes. */
  check(): boolean {
    if (this.pending.lines.captions.is_live) return false;
    this.exchange.check();
    this.sender.retry();
    return true;
  }

  /** Send everything now. */
  flush(): void {
    clearTimeout(this.autosave);
    this.pending.lines.close();
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

  /** The texts that the person wrote and that are not saved. */
  written(): Written[] {
    return this.pending.written();
  }

  /** Give up everything that is not saved. */
  discard(): void {
    this.pending.discard();
    this.retry();
  }

  dispose(): void {
    this.flush();
    this.sender.stop();
  }

  protected saveSoon(): void {
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
    if (!this.pending.lines.captions.is_live && this.view.save.kind === "saved") this.recover();
  }

  protected publish(): void {
    const before = this.view;
    this.view = this.look();
    const { captions } = this.pending.lines;
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
    this.journal.write(this.pending.journalled(), this.pending.lines.server());
  }

  private look(): View {
    const { lines, typing, locked } = this.pending;
    const { model } = lines;
    const history = { can_undo: canUndo(model), can_redo: canRedo(model) };
    return {
      captions: { ...lines.captions, ...history, lines: model.lines },
      typed: typing.all,
      locked,
      save: saveStateOf(this.pending, this.sender.phase, this.view?.save),
    };
  }
}
