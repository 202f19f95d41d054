/** What is written and not yet saved, line by line, with its copy in the journal. */
import type { Line, Saved } from "../types";
import type { Journal } from "./journal";
import { isDirty, type Conflict, type Draft } from "./state";

export type Draftable = Pick<Draft, "text" | "start_ms" | "end_ms">;

const GONE = "This line is no longer there. Somebody may have deleted or merged it.";
const CHANGED = "Somebody changed this line after you opened it. Compare both texts and keep one.";

export class Drafts {
  all: ReadonlyMap<string, Draft> = new Map();

  constructor(private readonly journal: Journal) {}

  write(line: Line, change: Draftable): void {
    const held = this.all.get(line.id);
    const { text, start_ms, end_ms } = line;
    const base = held?.base ?? { text, start_ms, end_ms };
    const next: Draft = { ...held, ...change, base, sent: undefined, problem: undefined };
    this.set(line.id, isDirty(next, line) ? next : undefined);
  }

  set(id: string, draft: Draft | undefined): void {
    if (draft === undefined && !this.all.has(id)) return;
    const next = new Map(this.all);
    if (draft === undefined) next.delete(id);
    else next.set(id, draft);
    this.all = next;
    this.journal.write(
      [...next].flatMap(([lineId, { text, base, sent }]) =>
        text === undefined || sent === true ? [] : [{ id: lineId, text, base }],
      ),
    );
  }

  hasUnsaved(): boolean {
    return [...this.all.values()].some((draft) => draft.sent !== true);
  }

  /** Text of an earlier visit that never reached the server. */
  recover(find: (id: string) => Line | undefined): void {
    for (const { id, text, base } of this.journal.read()) {
      if (find(id)?.text !== text) this.set(id, { base, text });
    }
    if (this.all.size === 0) this.journal.write([]);
  }

  /** What was saved and is shown as typed gives way to what the server says since. */
  dropSent(find: (id: string) => Line | undefined): void {
    for (const [id, draft] of this.all) {
      if (draft.sent === true && find(id)?.text !== draft.base.text) this.set(id, undefined);
    }
  }

  /** After a change was saved: `carried` is the draft that was sent with it, to know whether the person typed on. */
  settle(saved: Saved, id: string | null | undefined, carried: Draft | undefined, isEdit: boolean) {
    for (const line of saved.changed) {
      if (this.all.get(line.id)?.sent === true) this.set(line.id, undefined);
    }
    for (const gone of saved.removed) this.set(gone, undefined);
    const now = id == null ? undefined : this.all.get(id);
    if (id == null || now === undefined || carried === undefined) return;
    // A change that changed nothing answers with no line: then the line is what the draft began on.
    const base = saved.changed.find((line) => line.id === id) ?? now.base;
    if (now !== carried) this.set(id, { ...now, base });
    else if (!isEdit || now.text === undefined || now.text === base.text) this.set(id, undefined);
    else this.set(id, { base, text: now.text, sent: true });
  }

  /** The server refused an edit: times jump back, text stays for the person to correct. */
  refuse(id: string, problem: string): void {
    const held = this.all.get(id);
    if (held === undefined) return;
    const { base, text } = held;
    this.set(id, text === undefined ? undefined : { base, text, problem });
  }
}

/** The conflict of a draft with the line as it is now; undefined when the line is still what the writing began on. */
export function conflictOf(id: string, draft: Draft, line: Line | undefined): Conflict | undefined {
  const { text: mine, base } = draft;
  if (mine === undefined || mine === line?.text || line?.text === base.text) return undefined;
  return {
    id,
    mine,
    theirs: line?.text ?? null,
    message: line === undefined ? GONE : CHANGED,
    start_ms: base.start_ms,
    end_ms: base.end_ms,
  };
}
