/** Which lines are selected and where the caret is, and going from one line to another. */
import type { Focus } from "./focus";
import { onScreenAt, startedAt } from "../../domain/captions/timeline";
import type { Playback } from "./playback/Playback";
import type { EditorStore } from "../../domain/captions/store/EditorStore";
import type { Line } from "../../domain/captions/types";

const ONE: ReadonlySet<string> = new Set();
type Where = "list" | "typing";

export class Selection {
  protected focus: Focus = { selected: null, many: ONE, menu: null, caret: undefined };
  private readonly listeners = new Set<() => void>();

  constructor(
    readonly store: EditorStore,
    readonly playback: Playback,
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

  /** Choose all lines from the selected one to this one as well. */
  selectTo(id: string): void {
    const lines = this.lines();
    const [from, to] = [this.selectedIndex() ?? 0, lines.findIndex((line) => line.id === id)];
    if (to < 0) return;
    this.selectMany(lines.slice(Math.min(from, to), Math.max(from, to) + 1).map((line) => line.id));
  }

  /** Add this line to those chosen together, or take it out. */
  toggleChosen(id: string): void {
    const chosen = new Set(this.selection().map((line) => line.id));
    if (!chosen.delete(id)) chosen.add(id);
    this.set({ selected: id, many: chosen.size > 1 ? chosen : ONE });
  }

  selectMany(ids: Iterable<string>): void {
    const chosen = new Set(ids);
    this.set({ many: chosen.size > 1 ? chosen : ONE });
  }

  /** Extend the selection by one line, upwards or downwards. */
  extendSelection(direction: 1 | -1): void {
    const lines = this.lines();
    const chosen = this.selection();
    const edge = direction > 0 ? chosen.at(-1) : chosen[0];
    const next = lines[this.indexOf(edge) + direction];
    if (edge === undefined) this.step(direction, "list");
    else if (next !== undefined) this.selectMany([...chosen.map((line) => line.id), next.id]);
  }

  /** The lines that a command on many lines is about, in order: those chosen together, or the selected one. */
  selection(): Line[] {
    const { many } = this.focus;
    if (many.size > 0) return this.lines().filter((line) => many.has(line.id));
    const line = this.chosen();
    return line === undefined ? [] : [line];
  }

  openMenu(id: string): void {
    this.set({ menu: id, selected: id });
  }

  /** A menu closed without a command returns the focus to its line. */
  closeMenu(): void {
    if (this.focus.menu === null) return;
    const id = this.focus.menu;
    this.set(
      this.focus.caret === undefined ? { menu: null, caret: { id, at: "line" } } : { menu: null },
    );
  }

  /** Go to the previous or next line, into its text while typing, and show its picture. False at either end. */
  step(lines: number, where: Where): boolean {
    const all = this.lines();
    const from = this.selectedIndex() ?? startedAt(all, this.playback.nowMs);
    const target = all[Math.max(0, Math.min(all.length - 1, from + lines))];
    if (target === undefined || target.id === this.focus.selected) return false;
    if (where === "typing") this.goInto(target.id, lines < 0 ? "end" : 0);
    else this.goTo(target.id);
    // Somebody who corrects while it plays follows it with the keys.
    if (where === "list" || !this.playback.playing) this.playback.goTo(target.start_ms);
    return true;
  }

  /** Go into the text of the selected line, or of the line being spoken. */
  goInto(id = this.chosen()?.id, at: number | "end" = "end"): void {
    if (id !== undefined) this.set({ selected: id, menu: null, caret: { id, at } });
  }

  /** Go to a line as a whole: out of its text, or back from a dialog. */
  goTo(id = this.chosen()?.id): void {
    if (id !== undefined) this.set({ selected: id, menu: null, caret: { id, at: "line" } });
  }

  /** Go to the line with this number, counted from 1; beyond the end, to the last one. */
  goToNumber(number: number): void {
    const lines = this.lines();
    const target = lines[Math.min(Math.max(1, number), lines.length) - 1];
    if (target === undefined) return;
    this.goTo(target.id);
    this.playback.goTo(target.start_ms);
  }

  /** Select the line beside the selected one, and leave playback alone. */
  selectBeside(direction: 1 | -1): void {
    const target = this.lines()[(this.selectedIndex() ?? -1) + direction];
    if (target !== undefined) this.select(target.id);
  }

  /** Go to the next line after the selected one for which `wanted` holds, or to the first one. False if there is none. */
  goToNext(wanted: (line: Line) => boolean): boolean {
    const lines = this.lines();
    const from = (this.selectedIndex() ?? -1) + 1;
    const target = [...lines.slice(from), ...lines.slice(0, from)].find(wanted);
    if (target === undefined) return false;
    this.goTo(target.id);
    this.playback.goTo(target.start_ms);
    return true;
  }

  lines(): Line[] {
    return this.store.get().captions.lines;
  }

  find(id: string | undefined): Line | undefined {
    return this.lines().find((line) => line.id === id);
  }

  indexOf(line: Line | undefined): number {
    return line === undefined ? -1 : this.lines().indexOf(line);
  }

  protected selectedIndex(): number | undefined {
    const index = this.lines().findIndex((line) => line.id === this.focus.selected);
    return index < 0 ? undefined : index;
  }

  chosen(): Line | undefined {
    const lines = this.lines();
    return lines[this.selectedIndex() ?? onScreenAt(lines, this.playback.nowMs).at(-1) ?? -1];
  }

  protected set(change: Partial<Focus>): void {
    // What was chosen together with the line selected before is not meant any more.
    const { selected } = change;
    const leaves = selected !== undefined && change.many === undefined;
    const isOther = leaves && (selected === null || !this.focus.many.has(selected));
    this.focus = { ...this.focus, ...(isOther ? { many: ONE } : {}), ...change };
    for (const listener of this.listeners) listener();
  }
}
