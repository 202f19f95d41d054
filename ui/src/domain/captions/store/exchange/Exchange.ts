/**
 * Exchanges changes with the server: commands one after the other, and the changes of others.
 *
 *     up to date ──answer names a revision that is not ours──▶ behind ──load──▶ up to date
 *     reloaded ──the first command is repeated──▶ behind
 *
 * While behind, nothing is sent: the server would take a page that has not seen a change for one that has. A command
 * that was sent and not answered is sent again first, under the same id, so that the loaded state can be compared.
 */
import { t } from "../../../../platform/messages/editor";
import { isTravel, toCall } from "../../model/commands";
import type { Captions } from "../../types";
import type { Failure } from "./failure";
import type { Journalled } from "./journal";
import type { Entry } from "./Optimistic";
import type { Pending } from "./Pending";
import type { Task } from "./Sender";
import type { Listener, Server } from "./server";

const UNDO_OFFLINE = t("undoOffline");
/** This many stale refusals, each after a reload, are no coincidence. */
const STALE_MAX = 10;

export class Exchange {
  /** How often a newer state was fetched. */
  loads = 0;
  private behind = false;
  /** The newest revision that an event named. */
  private newest = 0;

  constructor(
    private readonly pending: Pending,
    private readonly server: Server,
    private readonly listener: Listener,
  ) {}

  /** A state from the server that this object did not request. */
  receive(captions: Captions): void {
    this.pending.lines.allow(captions.may_change);
    const held = this.pending.lines.captions;
    if (captions.is_live) this.pending.wait(captions);
    // Nothing waits that the new lines would be compared with.
    else if (held.is_live && this.pending.recovered === undefined)
      this.pending.lines.rebase(captions);
    else if (held.is_live) this.pending.adopt(captions);
    else if (captions.revision === held.revision) this.pending.lines.relink(captions);
    else if (captions.revision < held.revision) return;
    else if (this.pending.lines.queue.length > 0) this.behind = true;
    else this.pending.adopt(captions);
  }

  /** Somebody's change made this revision; perhaps our own, whose answer is on its way. */
  expect(revision: number): void {
    this.newest = Math.max(this.newest, revision);
  }

  check(): void {
    this.behind = true;
  }

  /** Resume commands that an earlier visit could not save. */
  recover(journalled: Journalled): void {
    if (this.pending.recover(journalled)) this.behind = true;
  }

  next(): Task | undefined {
    const head = this.pending.lines.queue[0];
    if (this.pending.conflicts.length > 0 || this.pending.lines.captions.is_live) return undefined;
    this.behind ||= this.newest > this.pending.lines.captions.revision;
    if (this.behind && head?.unanswered !== true) {
      return { run: () => this.load(), failed: (failure) => this.unloaded(failure) };
    }
    if (head === undefined || head.open) return undefined;
    return { run: () => this.send(head), failed: (failure) => this.failed(head, failure) };
  }

  private async load(): Promise<void> {
    // The answer is as old as the call: what becomes known while it travels leads to another one.
    const named = this.newest;
    this.behind = false;
    const captions = await this.server.load(this.pending.lines.server());
    this.pending.lines.allow(captions.may_change);
    if (this.newest === named) this.newest = Math.min(named, captions.revision);
    if (captions.is_live) this.pending.wait(captions);
    else this.pending.adopt(captions);
    this.loads += 1;
    this.listener.onChange();
  }

  private async send(entry: Entry): Promise<void> {
    const { language, revision } = this.pending.lines.captions;
    entry.sent = entry.unanswered = true;
    this.listener.onChange();
    const saved = await this.server.save(toCall(entry.command, language, revision));
    // More than our own change happened. Until we fetch it, we have only seen the earlier state.
    const alone = saved.revision <= revision + 1;
    this.behind ||= !alone;
    const step = this.pending.lines.confirm(saved, alone ? saved.revision : revision);
    this.pending.lines.allow(true);
    const { command } = entry;
    if (command.action === "Edit" && command.content !== undefined) {
      const line = saved.changed.find(({ id }) => id === command.line);
      if (line !== undefined) this.pending.typing.confirm(line.id, command.content, line.text);
    }
    for (const line of saved.changed) this.pending.recovered?.set(line.id, line.text);
    for (const id of saved.removed) this.pending.recovered?.delete(id);
    this.pending.settle(entry, step);
    this.listener.onChange();
  }

  /** True if the failure is handled; false if the command waits to be resent. */
  private failed(entry: Entry, failure: Failure): boolean {
    entry.unanswered = failure.kind === "wait" && failure.again;
    if (failure.kind === "wait") {
      if (!this.pending.lines.unknown || !isTravel(entry.command)) return this.close(failure);
      // Lines must not stay locked until the network is back. The next load shows whether it was done.
      this.behind = true;
      this.pending.lines.drop([entry]);
      this.pending.settle(entry, null);
      this.listener.onProblem(UNDO_OFFLINE);
    } else if (failure.kind === "stale" && entry.stale + 1 < STALE_MAX) {
      entry.stale += 1;
      this.behind = true;
    } else this.pending.refuse(entry, failure.message);
    this.listener.onChange();
    return true;
  }

  private unloaded(failure: Failure): false {
    this.behind = true;
    return this.close(failure);
  }

  /** Captions that are gone, or that this person may not change any more, take no further changes. */
  private close(failure: Failure): false {
    if (failure.kind === "wait" && failure.closed !== undefined) this.pending.lines.allow(false);
    return false;
  }
}
