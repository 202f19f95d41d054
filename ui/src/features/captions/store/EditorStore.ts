/**
 * The captions of one file while they are edited. Typing lands in drafts at once; drafts and commands are sent one after
 * the other; nothing is ever saved over somebody else's change. Lives outside of React: a keystroke draws one row.
 */
import type { Captions, CaptionEdit, Change, Line, Saved } from "../types";
import { conflictOf, Drafts, type Draftable } from "./Drafts";
import { afterFailure, type Failure } from "./failure";
import type { Journal } from "./journal";
import { isDirty, withSaved, type Conflict, type Draft, type SaveState, type View } from "./state";

export const AUTOSAVE_MS = 900;
export const RETRY_MS = [2_000, 5_000, 10_000, 30_000];

export interface Server {
  load: () => Promise<Captions>;
  save: (edit: CaptionEdit) => Promise<Saved>;
}

export interface Hooks {
  /** Something could not be done as asked; the sentence is for the person. */
  onProblem: (message: string) => void;
  /** The captions as the server has them now, for other views of the same file. */
  onSaved: (captions: Captions) => void;
}

interface Job {
  change: Change;
  /** The draft that this job carries, to know afterwards whether the person typed on. */
  draft: Draft | undefined;
  done: (saved: Saved | null) => void;
}

const nobody = (): void => undefined;

export class EditorStore {
  private view: View;
  private readonly drafts: Drafts;
  private readonly listeners = new Set<() => void>();
  private readonly queue: Job[] = [];
  private readonly conflicts: Conflict[] = [];
  private sending = false;
  private failure: string | undefined;
  private failures = 0;
  /** The server has changes that were not fetched yet; without them no edit may claim to have seen the newest state. */
  private behind = false;
  private autosave: ReturnType<typeof setTimeout> | undefined;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    captions: Captions,
    private readonly server: Server,
    journal: Journal,
    private readonly hooks: Hooks,
  ) {
    this.drafts = new Drafts(journal);
    this.view = { captions, drafts: this.drafts.all, save: { kind: "saved" } };
    if (!captions.is_live) this.recover();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly get = (): View => this.view;

  /** A fresh state from the server. Ignored while changes are on their way: their answers are newer. */
  receive(captions: Captions): void {
    const held = this.view.captions;
    if (this.sending || this.queue.length > 0) {
      this.behind ||= captions.revision > held.revision;
      return;
    }
    if (!captions.is_live && !held.is_live && captions.revision < held.revision) return;
    this.publish(captions);
    this.drafts.dropSent(this.find);
    if (held.is_live && !captions.is_live) this.recover();
    this.publish();
  }

  /** What the person writes or drags, not yet sent. */
  draft(id: string, change: Draftable): void {
    const line = this.find(id);
    if (line === undefined || this.view.captions.is_live) return;
    this.drafts.write(line, change);
    this.saveSoon();
    this.publish();
  }

  /** Forget what was written to a line and not sent. */
  discard(id: string): void {
    this.drafts.set(id, undefined);
    this.publish();
  }

  /** The person left the line: it shows what was saved. */
  leave(id: string): void {
    if (this.drafts.all.get(id)?.sent === true) this.discard(id);
    this.flush();
  }

  /** Send every draft now. */
  flush(): void {
    clearTimeout(this.autosave);
    for (const [id, draft] of this.drafts.all) this.enqueueDraft(id, draft);
    void this.pump();
  }

  /** Send one change after everything written so far. Null when it was not made. */
  run(change: Change): Promise<Saved | null> {
    if (this.view.captions.is_live) return Promise.resolve(null);
    // A split sends the text along, so its line's draft goes with it and not before it.
    const carried = change.content != null && change.line != null ? change.line : undefined;
    const draft = carried === undefined ? undefined : this.drafts.all.get(carried);
    if (carried !== undefined) this.dropQueued(carried);
    for (const [id, other] of this.drafts.all) {
      if (id !== carried) this.enqueueDraft(id, other);
    }
    return new Promise((done) => {
      this.queue.push({ change, draft, done });
      void this.pump();
    });
  }

  /** Try again what failed, without waiting. */
  retry(): void {
    clearTimeout(this.retryTimer);
    this.failure = undefined;
    this.flush();
  }

  /** After a conflict: save mine over theirs, or let mine go. */
  resolve(choice: "mine" | "theirs"): void {
    const conflict = this.conflicts.shift();
    if (conflict === undefined) return;
    const { id, mine, theirs, start_ms, end_ms } = conflict;
    if (choice === "mine" && theirs !== null) {
      this.drafts.set(id, { base: { text: theirs, start_ms, end_ms }, text: mine });
    } else {
      this.drafts.set(id, undefined);
    }
    if (choice === "mine" && theirs === null) {
      const change: Change = { action: "Add", start: start_ms, end: end_ms, content: mine };
      this.queue.push({ change, draft: undefined, done: nobody });
    }
    this.behind = true;
    void this.catchUp()
      .catch(nobody)
      .finally(() => this.flush());
  }

  dispose(): void {
    this.flush();
    clearTimeout(this.retryTimer);
  }

  private readonly find = (id: string): Line | undefined =>
    this.view.captions.lines.find((line) => line.id === id);

  private saveSoon(after = AUTOSAVE_MS): void {
    clearTimeout(this.autosave);
    this.autosave = setTimeout(() => this.flush(), after);
  }

  private recover(): void {
    this.drafts.recover(this.find);
    if (this.drafts.all.size > 0) this.saveSoon(0);
  }

  /** Fetch what others did. */
  private async catchUp(): Promise<void> {
    const captions = await this.server.load();
    this.behind = false;
    this.publish(captions);
    this.drafts.dropSent(this.find);
    for (const [id, draft] of this.drafts.all) this.checkBase(id, draft);
  }

  private enqueueDraft(id: string, draft: Draft): void {
    if (draft.sent === true || draft.problem !== undefined) return;
    if (this.queue.some((job) => job.draft === draft) || !this.checkBase(id, draft)) return;
    const { text: content, start_ms: start, end_ms: end } = draft;
    this.dropQueued(id);
    const change: Change = { action: "Edit", line: id, content, start, end };
    this.queue.push({ change, draft, done: nobody });
  }

  /** An edit that waits and is not being sent gives way to a newer change of its line. */
  private dropQueued(id: string): void {
    const from = this.sending ? 1 : 0;
    for (let index = this.queue.length - 1; index >= from; index -= 1) {
      const change = this.queue[index]?.change;
      if (change?.action === "Edit" && change.line === id) this.queue.splice(index, 1);
    }
  }

  /** Whether a draft may be sent; when its line says something else by now, the person is asked first. */
  private checkBase(id: string, draft: Draft): boolean {
    if (this.conflicts.some((conflict) => conflict.id === id)) return false;
    const line = this.find(id);
    const conflict = conflictOf(id, draft, line);
    if (conflict !== undefined) {
      this.dropQueued(id);
      this.conflicts.push(conflict);
      return false;
    }
    if (line !== undefined && isDirty(draft, line)) return true;
    this.drafts.set(id, undefined);
    return false;
  }

  private async pump(): Promise<void> {
    while (!this.sending && this.failure === undefined && this.conflicts.length === 0) {
      const job = this.queue[0];
      if (job === undefined && !this.behind) break;
      this.sending = true;
      this.publish();
      try {
        if (this.behind) await this.catchUp();
        // What was fetched may have raised a conflict with this very edit.
        if (job !== undefined && this.queue[0] === job) await this.send(job);
      } catch (error) {
        this.failed(job, afterFailure(error));
      }
      this.sending = false;
    }
    this.publish();
  }

  private async send(job: Job): Promise<void> {
    const { captions } = this.view;
    const { language, revision: seen } = captions;
    const saved = await this.server.save({ ...job.change, language, issued: seen });
    this.queue.shift();
    this.failures = 0;
    // More than our own change happened: until it is fetched we have only seen what we had seen before.
    const alone = saved.revision <= seen + 1;
    this.behind ||= !alone;
    this.drafts.settle(saved, job.change.line, job.draft, job.change.action === "Edit");
    this.publish({
      ...captions,
      lines: withSaved(captions.lines, saved.changed, saved.removed),
      language: saved.language,
      revision: alone ? saved.revision : seen,
      can_undo: saved.can_undo,
      can_redo: saved.can_redo,
    });
    this.hooks.onSaved(this.view.captions);
    job.done(saved);
  }

  private failed(job: Job | undefined, failure: Failure): void {
    if (failure.kind === "wait" || job === undefined) {
      this.failure = failure.message;
      const delay = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)];
      this.failures += 1;
      if (failure.kind === "wait" && failure.again) {
        this.retryTimer = setTimeout(() => this.retry(), delay);
      }
      return;
    }
    this.queue.shift();
    const { line, action } = job.change;
    const draft = line == null ? undefined : this.drafts.all.get(line);
    if (failure.kind === "stale") {
      this.behind = true;
      // The two texts are shown once the newest state is here.
      if (action !== "Edit" || draft?.text === undefined) this.hooks.onProblem(failure.message);
    } else {
      if (action === "Edit" && line != null) this.drafts.refuse(line, failure.message);
      else if (draft !== undefined) this.saveSoon();
      this.hooks.onProblem(failure.message);
    }
    job.done(null);
  }

  private publish(captions = this.view.captions): void {
    this.view = { captions, drafts: this.drafts.all, save: this.saveState() };
    for (const listener of this.listeners) listener();
  }

  private saveState(): SaveState {
    const conflict = this.conflicts[0];
    if (conflict !== undefined) return { kind: "conflict", conflict };
    if (this.failure !== undefined) return { kind: "failed", message: this.failure };
    if (this.sending || this.queue.length > 0) return { kind: "saving" };
    return { kind: this.drafts.hasUnsaved() ? "unsaved" : "saved" };
  }
}
