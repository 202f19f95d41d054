/**
 * What this page has and the server has not: commands, refused texts, questions to the person. It decides what becomes
 * of them when the server refuses one, or when a state arrives in which others have changed something.
 */
import { t } from "../../../../platform/messages/editor";
import { GONE } from "../../model/apply";
import { isTimesOnly, isTravel } from "../../model/commands";
import type { Step } from "../../model/history";
import type { Captions } from "../../types";
import type { Written } from "../../unsavedText";
import { conflictOf, families, questionOf } from "./clashes";
import { merge } from "./merging";
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
import type { Listener } from "./server";
import type { Conflict } from "../state";
import { Typing } from "../Typing";

const CHANGED = t("bothChanged");
const UNDO_CHANGED = t("undoChanged");

export class Pending {
  readonly lines: Optimistic;
  readonly typing = new Typing();
  conflicts: Conflict[] = [];
  /**
   * Texts of the lines when the tab was closed, or when the file was transcribed again; set until they are compared with
   * the state after that.
   */
  recovered: Map<string, string> | undefined;
  /** Where lines stood that may be gone when they are compared. */
  spans: ReadonlyMap<string, Span> = new Map();
  private readonly waiting = new Map<Entry, (step: Step | null) => void>();

  constructor(
    captions: Captions,
    private readonly listener: Pick<Listener, "onProblem">,
  ) {
    this.lines = new Optimistic(captions);
  }

  get locked(): boolean {
    return this.lines.unknown || this.recovered !== undefined;
  }

  /** Resume commands that an earlier visit could not save. Returns whether they are based on an older state. */
  recover({ revision, texts, spans = {}, queue, conflicts, refused }: Journalled): boolean {
    const { captions } = this.lines;
    this.spans = new Map(Object.entries(spans));
    this.conflicts = conflicts;
    this.typing.restore(refused);
    const isOlder = revision !== captions.revision;
    if (isOlder) this.recovered = new Map(Object.entries(texts));
    this.lines.recover(queue, revision);
    return isOlder;
  }

  /** The step of an undo that only the server knows, once it answers; null if it was not done. */
  answerTo(entry: Entry): Promise<Step | null> {
    return new Promise((resolve) => this.waiting.set(entry, resolve));
  }

  /** Say what came of a command. */
  settle(entry: Entry, step: Step | null): void {
    this.waiting.get(entry)?.(step);
    this.waiting.delete(entry);
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

  /** The file is transcribed again: what waits is compared with the new lines. */
  wait(captions: Captions): void {
    const { queue, base, captions: held } = this.lines;
    const refused = this.typing.refused();
    if (!held.is_live && queue.length + refused.length > 0) {
      const touched = linesIn(base.lines, touchedBy(queue, refused));
      this.recovered ??= textsById(touched);
      this.spans = new Map([...this.spans, ...spansById(touched)]);
    }
    this.lines.rebase(captions);
  }

  /** The server refuses the command: written text stays for the person, everything else is taken back. */
  refuse(entry: Entry, message: string): void {
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
  adopt(captions: Captions): void {
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
}
