/** The editor's actions, in one object that never changes, so that rows do not rerender for it. */
import { t } from "../../i18n/en/timing";
import { caretOf, endOfChange, selectionOf, typingIn, type Focus } from "./focus";
import { inPlace, withStyle } from "./look";
import type { Playback } from "./player/Playback";
import { onScreenAt, roomBeside, startedAt } from "./lines/timeline";
import { newId, type BulkChange } from "./model/commands";
import type { Step } from "./model/history";
import type { EditorStore } from "./store/EditorStore";
import { textOf } from "./store/state";
import type { Line, WordStyle } from "./types";

const ONE: ReadonlySet<string> = new Set();
type Where = "list" | "typing";

export class Editing {
  private focus: Focus = { selected: null, many: ONE, menu: null, caret: undefined };
  shots: readonly number[] = [];
  private readonly listeners = new Set<() => void>();

  constructor(
    readonly store: EditorStore,
    readonly playback: Playback,
    private readonly onProblem: (message: string) => void,
  ) {}

  setShots(shots: readonly number[]): void {
    this.shots = shots;
    this.set({});
  }

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

  /** Go to the previous or next line: into its text while typing, otherwise to its time. False at either end. */
  step(lines: number, where: Where): boolean {
    const all = this.lines();
    const from = this.selectedIndex() ?? startedAt(all, this.playback.nowMs);
    const target = all[Math.max(0, Math.min(all.length - 1, from + lines))];
    if (target === undefined || target.id === this.focus.selected) return false;
    if (where === "typing") this.goInto(target.id, lines < 0 ? "end" : 0);
    else {
      this.goTo(target.id);
      this.playback.seek(target.start_ms);
    }
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

  play(id = this.chosen()?.id, looping = false): void {
    const line = this.find(id);
    if (line !== undefined) this.playback.playSpan(line.start_ms, line.end_ms, looping);
  }

  /** Go to the line with this number, counted from 1; beyond the end, to the last one. */
  goToNumber(number: number): void {
    const lines = this.lines();
    const target = lines[Math.min(Math.max(1, number), lines.length) - 1];
    if (target === undefined) return;
    this.goTo(target.id);
    this.playback.seek(target.start_ms);
  }

  /** Select the line beside the selected one, and leave playback alone. */
  selectBeside(direction: 1 | -1): void {
    const target = this.lines()[(this.selectedIndex() ?? -1) + direction];
    if (target !== undefined) this.select(target.id);
  }

  setEdge(edge: "start_ms" | "end_ms"): void {
    const line = this.chosen();
    if (line === undefined) return;
    this.store.retime(line.id, { [edge]: this.playback.nowMs });
    this.store.flush();
  }

  split(id = this.chosen()?.id): void {
    const line = this.find(id);
    if (line === undefined) return;
    const content = this.textOf(line);
    const at = caretOf(line.id) ?? content.lastIndexOf(" ", Math.ceil(content.length / 2));
    const newLine = newId();
    const ran = this.store.run({ action: "Split", line: line.id, content, at, newLine });
    if (ran.kind === "done") this.goInto(newLine, 0);
    else if (typingIn() === undefined) this.goTo(line.id);
  }

  merge(id = this.chosen()?.id, direction: 1 | -1 = 1): void {
    const line = this.find(id);
    const other = this.lines()[this.indexOf(line) + direction];
    if (line === undefined || other === undefined) return;
    const caret = typingIn() === line.id ? caretOf(line.id) : undefined;
    const ran = this.store.run({ action: "Merge", line: line.id, with: other.id });
    if (ran.kind !== "done") return;
    const merged = direction > 0 ? line : other;
    // The caret stays at its character, which now follows the other line's text and a space.
    const before = direction < 0 && other.text !== "" ? other.text.length + 1 : 0;
    if (caret === undefined) this.goTo(merged.id);
    else this.goInto(merged.id, before + caret);
  }

  add(id: string | null = this.chosen()?.id ?? null, side: "after" | "before" = "after"): void {
    const lines = this.lines();
    const index = id === null ? lines.length - 1 : lines.findIndex((line) => line.id === id);
    const room = roomBeside(lines, index, side);
    if (room === undefined) {
      this.onProblem("There is no room for a new line here. Shorten a line next to it first.");
      return;
    }
    this.addAt(room.start, room.end);
  }

  /** Add an empty line at a time and go into it. */
  addAt(start: number, end: number): void {
    const newLine = newId();
    const ran = this.store.run({ action: "Add", newLine, start, end, content: "" });
    if (ran.kind === "done") this.goInto(newLine, 0);
  }

  /** Go to the next line after the selected one for which `wanted` holds, or to the first one. False if there is none. */
  goToNext(wanted: (line: Line) => boolean): boolean {
    const lines = this.lines();
    const from = (this.selectedIndex() ?? -1) + 1;
    const target = [...lines.slice(from), ...lines.slice(0, from)].find(wanted);
    if (target === undefined) return false;
    this.goTo(target.id);
    this.playback.seek(target.start_ms);
    return true;
  }

  remove(id?: string): void {
    const many = id === undefined ? this.selection() : [];
    if (many.length > 1) {
      const after = this.lines()[this.indexOf(many.at(-1)) + 1];
      const removed = many.map((each) => each.id);
      if (this.change(t("deleteMany", { count: many.length }), { removed }) !== undefined)
        this.goTo(after?.id);
      return;
    }
    const line = this.find(id ?? this.chosen()?.id);
    if (line === undefined) return;
    const lines = this.lines();
    const next = lines[this.indexOf(line) + 1] ?? lines[this.indexOf(line) - 1];
    const ran = this.store.run({ action: "Delete", line: line.id });
    if (ran.kind === "done") this.goTo(next?.id);
  }

  /** Many changes as one step of the history, which calls it `label`. Undefined if it was refused. */
  change(label: string, bulk: BulkChange): Step | null | undefined {
    const ran = this.store.run({ action: "Change", label, ...bulk });
    return ran.kind === "done" ? ran.step : undefined;
  }

  /** Switch a style on or off: of the selected words while typing, else of whole lines. */
  toggleStyle(style: WordStyle, id = typingIn()): void {
    // The words are those of the text as typed.
    this.store.flush();
    const words = id === undefined ? undefined : selectionOf(id);
    this.change(...withStyle(this.meant(id), style, words));
  }

  /** Put lines at one of nine places, by its number on a keypad. */
  setPlace(align: number, id?: string): void {
    this.change(...inPlace(this.meant(id), align));
  }

  /** The line named, else those that are selected. */
  private meant(id: string | undefined): Line[] {
    const one = this.find(id) ?? this.chosen();
    const many = id === undefined ? this.selection() : [];
    return many.length > 0 ? many : one === undefined ? [] : [one];
  }

  undo(): Promise<void> {
    return this.travel("Undo");
  }

  redo(): Promise<void> {
    return this.travel("Redo");
  }

  private async travel(action: "Undo" | "Redo"): Promise<void> {
    const typing = typingIn();
    const ran = this.store.run({ action });
    if (ran.kind === "done") this.follow(ran.step, typing);
    else if (ran.kind === "waiting") this.follow(await ran.step, typing);
  }

  /** Go to what an undo or redo changed. Somebody typing stays in a text, so that no letter becomes a command. */
  private follow(step: Step | null, typing: string | undefined): void {
    if (step === null) return;
    const target = step.after.find(({ id }) => id === typing) ?? step.after[0];
    if (target !== undefined) {
      const old = step.before.find(({ id }) => id === target.id)?.text ?? "";
      if (typing === undefined) this.goTo(target.id);
      else this.goInto(target.id, endOfChange(old, target.text));
      return;
    }
    const lines = this.lines();
    const near = lines[Math.max(0, startedAt(lines, step.before[0]?.start_ms ?? 0))];
    if (typing === undefined) this.goTo(near?.id);
    else this.goInto(near?.id);
  }

  lines(): Line[] {
    return this.store.get().captions.lines;
  }

  private textOf(line: Line): string {
    return textOf(line, this.store.get().typed.get(line.id));
  }

  find(id: string | undefined): Line | undefined {
    return this.lines().find((line) => line.id === id);
  }

  indexOf(line: Line | undefined): number {
    return line === undefined ? -1 : this.lines().indexOf(line);
  }

  private selectedIndex(): number | undefined {
    const index = this.lines().findIndex((line) => line.id === this.focus.selected);
    return index < 0 ? undefined : index;
  }

  chosen(): Line | undefined {
    const lines = this.lines();
    return lines[this.selectedIndex() ?? onScreenAt(lines, this.playback.nowMs)];
  }

  private set(change: Partial<Focus>): void {
    // What was chosen together with the line selected before is not meant any more.
    const { selected } = change;
    const leaves = selected !== undefined && change.many === undefined;
    const isOther = leaves && (selected === null || !this.focus.many.has(selected));
    this.focus = { ...this.focus, ...(isOther ? { many: ONE } : {}), ...change };
    for (const listener of this.listeners) listener();
  }
}
