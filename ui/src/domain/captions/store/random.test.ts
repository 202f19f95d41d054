import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "../../../platform/api/client";
import { apply, type Model } from "../model/apply";
import { newId, type Change, type Command } from "../model/commands";
import { chance } from "./chance.testing";
import { EditorStore } from "./EditorStore";
import { textOf } from "./state";
import { line, memory, Table } from "./table.testing";

/** The captions of somebody whose every command is done at once and for certain. */
class Wanted {
  private before: Model;
  private typedIn: string | undefined;

  constructor(public model: Model) {
    this.before = model;
  }

  do(change: Change): boolean {
    this.rest();
    const outcome = apply(this.model, { ...change, id: "" } as Command);
    if (outcome.kind === "done") this.model = outcome.model;
    return outcome.kind === "done";
  }

  /** Typing on in one line is one change. */
  type(id: string, content: string): void {
    if (this.typedIn !== id) this.before = this.model;
    this.typedIn = id;
    const outcome = apply(this.before, { id: "", action: "Edit", line: id, content });
    if (outcome.kind === "done") this.model = outcome.model;
    if (outcome.kind === "done" && outcome.step === null) this.typedIn = undefined;
  }

  rest(): void {
    this.typedIn = undefined;
  }
}

const WORDS = ["so", "the", "men", "Þórður", "move", "on,", "into", "more", "😀"];
const TRAVELS = [0, 0, 50, 1_000];
const STEPS = 120;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each(Array.from({ length: 60 }, (_, seed) => seed))(
  "whatever is done however fast, screen and server end with what was wanted (%d)",
  async (seed) => {
    const next = chance(seed);
    const pick = <T>(all: T[]): T => all[Math.floor(next() * all.length)] as T;
    const table = new Table([
      line("a", 0, "one two"),
      line("b", 2_000, "three"),
      line("c", 4_000, "four"),
    ]);
    table.travelMs = TRAVELS[seed % TRAVELS.length] ?? 0;
    const problems: string[] = [];
    const journal = memory();
    const open = () =>
      new EditorStore(table.captions(), { load: table.load, save: table.save }, journal, {
        onProblem: (message) => problems.push(message),
        onSaved: () => undefined,
      });
    let store = open();
    const wanted = new Wanted(table.model);
    const screen = () => {
      const { captions, typed } = store.get();
      return captions.lines.map((one) => [one.id, textOf(one, typed.get(one.id)).trim()]);
    };
    const lost = () => (next() < 0.3 ? new ApiError(0, "offline") : undefined);

    for (let step = 0; step < STEPS; step += 1) {
      const { lines } = wanted.model;
      const one = lines.length === 0 ? undefined : pick(lines);
      const dice = next();
      if (one === undefined || dice < 0.08) {
        const end = lines.at(-1)?.end_ms ?? 0;
        const change: Change = {
          action: "Add",
          newLine: newId(),
          start: end,
          end: end + 900,
          content: "",
        };
        wanted.do(change);
        store.run(change);
      } else if (dice < 0.45) {
        const text = `${one.text} ${pick(WORDS)}`.trim();
        wanted.type(one.id, text);
        store.write(one.id, text);
      } else if (dice < 0.6) {
        const at = Math.floor(next() * (one.text.length + 1));
        const change: Change = {
          action: "Split",
          line: one.id,
          content: one.text,
          at,
          newLine: newId(),
        };
        wanted.do(change);
        store.run(change);
      } else if (dice < 0.68) {
        const other = lines[lines.indexOf(one) + 1];
        if (other === undefined) continue;
        const change: Change = { action: "Merge", line: one.id, with: other.id };
        wanted.do(change);
        store.run(change);
      } else if (dice < 0.72) {
        wanted.do({ action: "Delete", line: one.id });
        store.run({ action: "Delete", line: one.id });
      } else if (dice < 0.76) {
        const some = lines.filter(() => next() < 0.5);
        const change: Change = {
          action: "Change",
          label: "Several",
          changes: some.map((each) => ({ line: each.id, content: `${each.text} ${pick(WORDS)}` })),
        };
        wanted.do(change);
        store.run(change);
      } else if (dice < 0.88) {
        const action = next() < 0.65 ? "Undo" : "Redo";
        const can = action === "Undo" ? wanted.model.done : wanted.model.undone;
        if (can === null) continue;
        wanted.do({ action });
        store.run({ action });
      } else if (dice < 0.94) {
        wanted.rest();
        await vi.advanceTimersByTimeAsync(pick([1_000, 2_000]));
      } else if (dice < 0.97) {
        // The network comes and goes, before a call arrives or before its answer is back.
        table.before = pick([lost, undefined]);
        table.after = pick([lost, undefined]);
      } else if (seed % 3 === 0) {
        // Reloaded once all is saved: then undo reaches back as far as this page knows, and no further.
        table.before = table.after = undefined;
        await vi.advanceTimersByTimeAsync(400_000);
        wanted.rest();
        expect(store.get().save.kind).toBe("saved");
        store.dispose();
        store = open();
        wanted.model = { ...wanted.model, done: null, undone: null };
        table.model = { ...table.model, done: null, undone: null };
        store = open();
      }
      const shown = wanted.model.lines.map(({ id, text }) => [id, text]);
      expect(screen()).toEqual(shown);
    }

    table.before = table.after = undefined;
    store.flush();
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(screen()).toEqual(wanted.model.lines.map(({ id, text }) => [id, text]));
    expect(store.get().captions.lines).toEqual(table.model.lines);
    expect(store.get()).toMatchObject({ locked: false, save: { kind: "saved" } });
    expect(journal.kept).toBeUndefined();
    expect(
      problems.filter(
        (message) =>
          !message.startsWith("Put the cursor") && !message.startsWith("This line is too short"),
      ),
    ).toEqual([]);
  },
);
