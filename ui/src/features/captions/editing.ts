/** What a person can do in the editor: one object that stays the same, so that rows are not drawn again for it. */
import type { Playback } from "./player/Playback";
import { onScreenAt, roomBeside, startedAt } from "./lines/place";
import type { EditorStore } from "./store/EditorStore";
import { shown } from "./store/state";
import type { Line, Saved } from "./types";

export interface CaretRequest {
  id: string;
  at: number | "end";
}

/** What is chosen at the moment. */
export interface Focus {
  selected: string | null;
  menu: string | null;
  caret: CaretRequest | undefined;
}

type Where = "list" | "typing";

export class Editing {
  private focus: Focus = { selected: null, menu: null, caret: undefined };
  private readonly listeners = new Set<() => void>();

  constructor(
    readonly store: EditorStore,
    readonly playback: Playback,
    private readonly onProblem: (message: string) => void,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getFocus = (): Focus => this.focus;

  readonly caretSet = (): void => this.set({ caret: undefined });

  select(id: string | null): void {
    if (id !== this.focus.selected) this.set({ selected: id });
  }

  openMenu(id: string | null): void {
    this.set(id === null ? { menu: null } : { menu: id, selected: id });
  }

  /** To the line before or after; into its text while typing, else to its time. False at either end. */
  step(lines: number, where: Where): boolean {
    const all = this.lines();
    const from = this.index() ?? startedAt(all, this.playback.nowMs);
    const target = all[Math.max(0, Math.min(all.length - 1, from + lines))];
    if (target === undefined || target.id === this.focus.selected) return false;
    if (where === "typing") this.goInto(target.id, lines < 0 ? "end" : 0);
    else {
      this.select(target.id);
      this.playback.seek(this.shown(target).start_ms);
    }
    return true;
  }

  /** Into the text of the chosen line, or of the one being said. */
  goInto(id = this.chosen()?.id, at: number | "end" = "end"): void {
    if (id !== undefined) this.set({ selected: id, caret: { id, at } });
  }

  play(id = this.chosen()?.id, looping = false): void {
    const line = this.find(id);
    if (line === undefined) return;
    const { start_ms, end_ms } = this.shown(line);
    this.playback.playSpan(start_ms, end_ms, looping);
  }

  setEdge(edge: "start_ms" | "end_ms"): void {
    const line = this.chosen();
    if (line === undefined) return;
    this.store.draft(line.id, { [edge]: this.playback.nowMs });
    this.store.flush();
  }

  async split(id = this.chosen()?.id): Promise<void> {
    const line = this.find(id);
    if (line === undefined) return;
    const { text } = this.shown(line);
    const at = caretOf(line.id) ?? text.lastIndexOf(" ", Math.ceil(text.length / 2));
    const saved = await this.store.run({ action: "Split", line: line.id, content: text, at });
    const second = saved?.changed.find((changed) => changed.id !== line.id);
    if (second !== undefined) this.goInto(second.id, 0);
  }

  async merge(id = this.chosen()?.id, direction: 1 | -1 = 1): Promise<void> {
    const line = this.find(id);
    const other = this.lines()[this.place(line) + direction];
    if (line === undefined || other === undefined) return;
    const typing = caretOf(line.id, true) !== undefined;
    const first = direction > 0 ? line : other;
    const joint = this.shown(first).text.length;
    const saved = await this.store.run({ action: "Merge", line: line.id, with: other.id });
    const merged = saved?.changed[0];
    if (merged === undefined) return;
    if (typing) this.goInto(merged.id, Math.min(joint + 1, merged.text.length));
    else this.select(merged.id);
  }

  async add(id: string | null = this.chosen()?.id ?? null, side: "after" | "before" = "after") {
    const lines = this.lines().map((line) => this.shown(line));
    const index = id === null ? lines.length - 1 : lines.findIndex((line) => line.id === id);
    const room = roomBeside(lines, index, side);
    if (room === undefined) {
      this.onProblem(
        "There is no free time for a new line here. Make one of its neighbours shorter.",
      );
      return;
    }
    await this.addAt(room.start, room.end);
  }

  async addAt(start: number, end: number): Promise<void> {
    const saved = await this.store.run({ action: "Add", start, end, content: "" });
    const added = saved?.changed[0];
    if (added !== undefined) this.goInto(added.id, 0);
  }

  async remove(id = this.chosen()?.id): Promise<void> {
    const line = this.find(id);
    if (line === undefined) return;
    const lines = this.lines();
    const next = lines[this.place(line) + 1] ?? lines[this.place(line) - 1];
    this.store.discard(line.id);
    if ((await this.store.run({ action: "Delete", line: line.id })) !== null) {
      this.select(next?.id ?? null);
    }
  }

  undo(): Promise<void> {
    return this.travel("Undo");
  }

  redo(): Promise<void> {
    return this.travel("Redo");
  }

  private async travel(action: "Undo" | "Redo"): Promise<void> {
    const saved: Saved | null = await this.store.run({ action });
    const touched = saved?.changed[0];
    if (touched !== undefined) this.select(touched.id);
  }

  private lines(): Line[] {
    return this.store.get().captions.lines;
  }

  private shown(line: Line): Line {
    return shown(line, this.store.get().drafts.get(line.id));
  }

  private find(id: string | undefined): Line | undefined {
    return this.lines().find((line) => line.id === id);
  }

  private place(line: Line | undefined): number {
    return line === undefined ? -1 : this.lines().indexOf(line);
  }

  private index(): number | undefined {
    const index = this.lines().findIndex((line) => line.id === this.focus.selected);
    return index < 0 ? undefined : index;
  }

  private chosen(): Line | undefined {
    const lines = this.lines();
    return lines[this.index() ?? onScreenAt(lines, this.playback.nowMs)];
  }

  private set(change: Partial<Focus>): void {
    this.focus = { ...this.focus, ...change };
    for (const listener of this.listeners) listener();
  }
}

/** Where the caret stands in a line's text box; with `focused`, only when the person is typing there. */
function caretOf(id: string, focused = false): number | undefined {
  const box = document.querySelector<HTMLTextAreaElement>(
    `[data-line="${CSS.escape(id)}"] textarea`,
  );
  if (box === null || (focused && document.activeElement !== box)) return undefined;
  return box.selectionStart;
}
