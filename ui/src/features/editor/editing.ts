/** The editor's actions, in one object that never changes, so that rows do not rerender for it. */
import { t } from "../../platform/messages/editing";
import { caretOf, endOfChange, selectionOf, typingIn } from "./focus";
import { inPlace, withStyle } from "./look";
import type { Playback } from "./playback/Playback";
import { besideInLane, inLane, laneOf } from "../../domain/captions/lanes";
import { roomBeside, startedAt } from "../../domain/captions/timeline";
import { dashFor } from "./dashFor";
import { newId, type BulkChange } from "../../domain/captions/model/commands";
import type { Step } from "../../domain/captions/model/history";
import { DASHES } from "../../domain/captions/quality/marks";
import { Selection } from "./selection";
import type { EditorStore } from "../../domain/captions/store/EditorStore";
import { textOf } from "../../domain/captions/store/state";
import type { Line, LinePlace, WordStyle } from "../../domain/captions/types";

export class Editing extends Selection {
  shots: readonly number[] = [];
  /** Why letters go nowhere until the person does something else; null while they do. */
  refused: string | null = null;

  constructor(
    store: EditorStore,
    playback: Playback,
    private readonly onProblem: (message: string) => void,
  ) {
    super(store, playback);
  }

  setShots(shots: readonly number[]): void {
    this.shots = shots;
    this.set({});
  }

  play(id = this.chosen()?.id, looping = false): void {
    const line = this.find(id);
    if (line !== undefined) this.playback.playSpan(line.start_ms, line.end_ms, looping);
  }

  setEdge(edge: "start_ms" | "end_ms"): void {
    const line = this.chosen();
    if (line === undefined) return;
    this.store.retime(line.id, { [edge]: this.playback.shownMs });
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
    const other = besideInLane(this.lines(), this.indexOf(line), direction);
    if (line === undefined || other === undefined) return;
    const caret = typingIn() === line.id ? caretOf(line.id) : undefined;
    const [merged, second] = direction > 0 ? [line, other] : [other, line];
    const dash = dashFor(this.store, merged, second);
    const ran = this.store.run({ action: "Merge", line: line.id, with: other.id, dash });
    if (ran.kind !== "done") return;
    const mark = dash === undefined ? 0 : DASHES[dash].length;
    // The caret stays at its character, which now follows the other line's text and a space or a new row.
    const before = (direction < 0 && other.text !== "" ? other.text.length + 1 + mark : 0) + mark;
    if (caret === undefined) this.goTo(merged.id);
    else this.goInto(merged.id, before + caret);
  }

  add(id: string | null = this.chosen()?.id ?? null, side: "after" | "before" = "after"): void {
    const place = this.find(id ?? undefined)?.place ?? undefined;
    const lines = inLane(this.lines(), laneOf(place));
    const index = id === null ? lines.length - 1 : lines.findIndex((line) => line.id === id);
    const room = roomBeside(lines, index, side);
    if (room === undefined) {
      this.refuseLine(t("timing.noRoomToAdd"));
      return;
    }
    this.addAt(room.start, room.end, laneOf(place) === "bottom" ? undefined : place);
  }

  /** Add an empty line at a time, which in a video begins and ends with a frame, and go into it. */
  addAt(from: number, to: number, place?: LinePlace): void {
    const { start, end } = this.playback.frames?.inside(from, to) ?? { start: from, end: to };
    const newLine = newId();
    const at = place === undefined ? {} : { place };
    const ran = this.store.run({ action: "Add", newLine, start, end, content: "", ...at });
    if (ran.kind === "done") this.goInto(newLine, 0);
    else this.keepLettersOut(t("timing.noLineAdded"));
  }

  /** There is no line for the letters that somebody may be typing already: the line before must not get them. */
  refuseLine(message: string): void {
    this.onProblem(message);
    this.keepLettersOut(message);
  }

  private keepLettersOut(message: string): void {
    const typing = typingIn();
    if (typing === undefined) return;
    this.refused = message;
    this.goTo(typing);
  }

  remove(id?: string): void {
    const many = id === undefined ? this.selection() : [];
    if (many.length > 1) {
      const after = this.lines()[this.indexOf(many.at(-1)) + 1];
      const removed = many.map((each) => each.id);
      if (this.change(t("timing.deleteMany", { count: many.length }), { removed }) !== undefined)
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

  private textOf(line: Line): string {
    return textOf(line, this.store.get().typed.get(line.id));
  }
}
