/**
 * Exchanges changes with the server: commands one after the other, and the changes of others.
 *
 *     up to date ──answer names a revision that is not ours──▶ behind ──load──▶ up to date
 *     reloaded ──the first command is repeated──▶ behind
 *
 * While behind, nothing is sent: the server would take a page that has not seen a change for one that has. A command
 * that was sent and not answered is sent again first, under the same id, so that the loaded state can be compared.
 */
import { t } from "../../../platform/messages/editor";
import { GONE } from "../model/apply";
import { isTimesOnly, isTravel, toCall } from "../model/commands";
import type { Step } from "../model/history";
import type { Captions } from "../types";
import type { Written } from "../unsavedText";
import { conflictOf, families, questionOf } from "./clashes";
import { merge } from "./merging";
import type { Failure } from "./failure";
import {
  journalOf,
  linesIn,
  spansById,
  textsById,
  touchedBy,
  writtenBy,
  type Journalled,
  type Span,
} from "./journal";
import { Optimistic, type Entry } from "./Optimistic";
import type { Task } from "./Sender";
import type { Listener, Server } from "./server";
import type { Conflict } from "./state";
import { Typing } from "./Typing";

const CHANGED = t("bothChanged");
const UNDO_CHANGED = t("undoChanged");
const UNDO_OFFLINE = t("undoOffline");
/** This many stale refusals, each after a reload, are no coincidence. */
const STALE_MAX = 10;

export class Exchange {
  readonly lines: Optimistic;
  readonly typing = new Typing();
  conflicts: Conflict[] = [];
  /** How often a newer state was fetched. */
  loads = 0;
  /**
   * Texts of the lines when the tab was closed, or when the file was transcribed again; set until they are compared with
   * the state after that.
   */
  recovered: Map<string, string> | undefined;
  /** Where lines stood that may be gone when they are compared. */
  spans: ReadonlyMap<string, Span> = new Map();
  private behind = false;
  /** The newest revision that an event named. */
  private newest = 0;
  private readonly waiting = new Map<Entry, (step: Step | null) => void>();

  constructor(
    captions: Captions,
    private readonly server: Server,
    private readonly listener: Listener,
  ) {
    this.lines = new Optimistic(captions);
  }

  get locked(): boolean {
    return this.lines.unknown || this.recovered !== undefined;
  }

  /** A state from the server that this object did not request. */
  receive(captions: Captions): void {
    this.lines.allow(captions.may_change);
    const held = this.lines.captions;
    if (captions.is_live) this.wait(captions);
    // Nothing waits that the new lines would be compared with.
    else if (held.is_live && this.recovered === undefined) this.lines.rebase(captions);
    else if (held.is_live) this.adopt(captions);
    else if (captions.revision === held.revision) this.lines.relink(captions);
    else if (captions.revision < held.revision) return;
    else if (this.lines.queue.length > 0) this.behind = true;
    else this.adopt(captions);
  }

  /** Somebody's change made this revision; perhaps our own, whose answer is on its way. */
  expect(revision: number): void {
    this.newest = Math.max(this.newest, revision);
  }

  check(): void {
    this.behind = true;
  }

  /** Resume commands that an earlier visit could not save. */
  recover({ revision, texts, spans = {}, queue, conflicts, refused }: Journalled): void {
    const { captions } = this.lines;
    this.spans = new Map(Object.entries(spans));
    this.conflicts = conflicts;
    this.typing.restore(refused);
    if (revision !== captions.revision) {
      this.recovered = new Map(Object.entries(texts));
      this.behind = true;
    }
    this.lines.recover(queue, revision);
  }

  /** The step of an undo that only the server knows, once it answers; null if it was not done. */
  answerTo(entry: Entry): Promise<Step | null> {
    return new Promise((resolve) => this.waiting.set(entry, resolve));
  }

  next(): Task | undefined {
    const head = this.lines.queue[0];
    if (this.conflicts.length > 0 || this.lines.captions.is_live) return undefined;
    this.behind ||= this.newest > this.lines.captions.revision;
    if (this.behind && head?.unanswered !== true) {
      return { run: () => this.load(), failed: (failure) => this.close(failure) };
    }
    if (head === undefined || head.open) return undefined;
    return { run: () => this.send(head), failed: (failure) => this.failed(head, failure) };
  }

  journalled(): Journalled | undefined {
    return journalOf(this.lines, this.typing.refused(), this);
  }

  /** The texts that the person wrote and that are not saved. */
  written(): Written[] {
    return writtenBy(this.lines, this.typing.refused(), this.conflicts);
  }

  /** Forget what is not saved: the person has chosen so. */
  discard(): void {
    this.typing.forget(this.typing.refused().map(([id]) => id));
    this.conflicts = [];
    this.recovered = undefined;
    for (const entry of this.lines.queue) this.settle(entry, null);
    this.lines.drop(this.lines.queue);
  }

  private async load(): Promise<void> {
    const captions = await this.server.load(this.lines.server());
    this.behind = false;
    this.lines.allow(captions.may_change);
    this.newest = Math.min(this.newest, captions.revision);
    if (captions.is_live) this.wait(captions);
    else this.adopt(captions);
    this.loads += 1;
    this.listener.onChange();
  }

  private async send(entry: Entry): Promise<void> {
    const { language, revision } = this.lines.captions;
    entry.sent = entry.unanswered = true;
    this.listener.onChange();
    const saved = await this.server.save(toCall(entry.command, language, revision));
    // More than our own change happened. Until we fetch it, we have only seen the earlier state.
    const alone = saved.revision <= revision + 1;
    this.behind ||= !alone;
    const step = this.lines.confirm(saved, alone ? saved.revision : revision);
    this.lines.allow(true);
    const { command } = entry;
    if (command.action === "Edit" && command.content !== undefined) {
      const line = saved.changed.find(({ id }) => id === command.line);
      if (line !== undefined) this.typing.confirm(line.id, command.content, line.text);
    }
    for (const line of saved.changed) this.recovered?.set(line.id, line.text);
    for (const id of saved.removed) this.recovered?.delete(id);
    this.settle(entry, step);
    this.listener.onChange();
  }

  /** True if the failure is handled; false if the command waits to be resent. */
  private failed(entry: Entry, failure: Failure): boolean {
    entry.unanswered = failure.kind === "wait" && failure.again;
    if (failure.kind === "wait") {
      if (!this.lines.unknown || !isTravel(entry.command)) return this.close(failure);
      // Lines must not stay locked until the network is back. The next load shows whether it was done.
      this.behind = true;
      this.lines.drop([entry]);
      this.settle(entry, null);
      this.listener.onProblem(UNDO_OFFLINE);
    } else if (failure.kind === "stale" && entry.stale + 1 < STALE_MAX) {
      entry.stale += 1;
      this.behind = true;
    } else this.refuse(entry, failure.message);
    this.listener.onChange();
    return true;
  }

  /** The file is transcribed again: what waits is compared with the new lines. */
  private wait(captions: Captions): void {
    const { queue, base, captions: held } = this.lines;
    const refused = this.typing.refused();
    if (!held.is_live && queue.length + refused.length > 0) {
      const touched = linesIn(base.lines, touchedBy(queue, refused));
      this.recovered ??= textsById(touched);
      this.spans = new Map([...this.spans, ...spansById(touched)]);
    }
    this.lines.rebase(captions);
  }

  /** Captions that are gone, or that this person may not change any more, take no further changes. */
  private close(failure: Failure): false {
    if (failure.kind === "wait" && failure.closed !== undefined) this.lines.allow(false);
    return false;
  }

  /** The server refuses the command: written text stays for the person, everything else is taken back. */
  private refuse(entry: Entry, message: string): void {
    const { command } = entry;
    if (command.action === "Edit") {
      this.lines.drop([entry]);
      const line = this.lines.find(command.line);
      const later = this.lines.queue.some(({ touched }) => touched.includes(command.line));
      if (command.content !== undefined && !later) {
        if (line === undefined) this.ask(command.line, command.content, null);
        else this.typing.refuse(line, command.content, message);
      }
      this.listener.onProblem(message);
    } else {
      this.giveUp(
        "refused",
        (one) => one === entry,
        this.lines.base.lines,
        () => message,
      );
    }
    this.settle(entry, null);
  }

  /** Adopt a state in which others may have changed something. */
  private adopt(captions: Captions): void {
    const { base, captions: held } = this.lines;
    const known = this.recovered ?? new Map(base.lines.map(({ id, text }) => [id, text]));
    const compared = this.recovered !== undefined;
    this.recovered = undefined;
    if (captions.revision <= held.revision) {
      // The repeated command's change is in both states, so the history this page would derive is wrong.
      if (compared) this.lines.rebase(captions);
      return;
    }
    const now = new Map(captions.lines.map(({ id, text }) => [id, text]));
    const merged = merge(this.lines.queue, known, now);
    const differs = (id: string) =>
      !merged.has(id) && known.has(id) && known.get(id) !== now.get(id);
    this.giveUp(
      "changed",
      ({ command, touched }) => {
        if (isTravel(command)) return true;
        return touched.some(isTimesOnly(command) ? (id) => known.has(id) && !now.has(id) : differs);
      },
      captions.lines,
      (entries, theirs) =>
        entries.every(({ command }) => isTravel(command)) ? UNDO_CHANGED : theirs ? CHANGED : GONE,
    );
    for (const [id, { raw }] of this.typing.refused()) {
      if (differs(id) || !now.has(id)) this.ask(id, raw, now.get(id) ?? null);
    }
    this.lines.rebase(captions);
    this.spans = new Map();
  }

  /** Drop the commands for which `begins` holds and those that depend on them; ask about texts that would be lost. */
  private giveUp(
    cause: Conflict["cause"],
    begins: (entry: Entry) => boolean,
    now: Captions["lines"],
    sentenceFor: (entries: Entry[], theirs: boolean) => string,
  ): void {
    const shown = this.lines.model.lines;
    for (const family of families(this.lines.queue, begins)) {
      const message = sentenceFor(
        family.entries,
        now.some(({ id }) => family.ids.has(id)),
      );
      const conflict = conflictOf(family, { shown, now, spans: this.spans }, { cause, message });
      if (conflict === undefined) this.listener.onProblem(message);
      else this.conflicts = [...this.conflicts, conflict];
      this.typing.forget([...family.ids]);
      for (const entry of family.entries) this.settle(entry, null);
      this.lines.drop(family.entries);
    }
  }

  private ask(id: string, raw: string, theirs: string | null): void {
    const line = this.lines.find(id);
    const span: Span | undefined = line ? [line.start_ms, line.end_ms] : this.spans.get(id);
    this.typing.forget([id]);
    if (theirs === raw) return;
    const message = theirs === null ? GONE : CHANGED;
    this.conflicts = [...this.conflicts, questionOf(id, { raw, theirs, span, message })];
  }

  private settle(entry: Entry, step: Step | null): void {
    this.waiting.get(entry)?.(step);
    this.waiting.delete(entry);
  }
}
