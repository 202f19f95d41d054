import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "../../../platform/api/client";
import { apply, type Model } from "../model/apply";
import { newId, type Change, type Command } from "../model/commands";
import { EditorStore } from "./EditorStore";
import { chance } from "./chance.testing";
import { memory, Table } from "./table.testing";

const STEPS = 60;
const WORDS = ["end", "so", "more"];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each(Array.from({ length: 60 }, (_, seed) => seed))(
  "events, lost answers and refusals as out of date double and lose no word (%d)",
  async (seed) => {
    const next = chance(seed);
    const pick = <T>(all: T[]): T => all[Math.floor(next() * all.length)] as T;
    const table = new Table();
    table.travelMs = pick([0, 50, 1_000, 3_000]);
    const problems: string[] = [];
    const store = new EditorStore(
      table.captions(),
      { load: table.load, save: table.save },
      memory(),
      { onProblem: (message) => problems.push(message), onSaved: () => undefined },
    );
    let wanted: Model = table.model;
    let typed: { id: string; before: Model } | undefined;
    const run = (change: Change) => {
      typed = undefined;
      const outcome = apply(wanted, { ...change, id: "" } as Command);
      if (outcome.kind !== "done") return;
      wanted = outcome.model;
      store.run(change);
    };
    const lost = () => (next() < 0.4 ? new ApiError(0, "offline") : undefined);
    for (let step = 0; step < STEPS; step += 1) {
      const one = pick(wanted.lines);
      const dice = next();
      if (dice < 0.4) {
        const content = `${one.text} ${pick(WORDS)}`;
        if (typed?.id !== one.id) typed = { id: one.id, before: wanted };
        const outcome = apply(typed.before, { id: "", action: "Edit", line: one.id, content });
        if (outcome.kind === "done") wanted = outcome.model;
        store.write(one.id, content);
      } else if (dice < 0.55) {
        const at = Math.floor(next() * (one.text.length + 1));
        run({ action: "Split", line: one.id, content: one.text, at, newLine: newId() });
      } else if (dice < 0.68) {
        const other = wanted.lines[wanted.lines.indexOf(one) + 1];
        if (other !== undefined) run({ action: "Merge", line: one.id, with: other.id });
      } else if (dice < 0.74) {
        table.touch();
      } else if (dice < 0.8) {
        store.expect(table.revision);
      } else if (dice < 0.84) {
        store.check();
      } else if (dice < 0.9) {
        table.before = pick([lost, undefined]);
        table.after = pick([lost, undefined]);
      } else {
        await vi.advanceTimersByTimeAsync(pick([10, 1_000, 2_500]));
      }
    }
    table.before = table.after = undefined;
    store.check();
    store.flush();
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(problems.filter((one) => !one.startsWith("Put the cursor"))).toEqual([]);
    expect(table.texts).toEqual(wanted.lines.map(({ text }) => text));
    expect(store.get().captions.lines.map(({ text }) => text)).toEqual(table.texts);
    expect(store.get().save.kind).toBe("saved");
  },
);
