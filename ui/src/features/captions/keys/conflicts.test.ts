import { expect, it, vi } from "vitest";
import { matching, problemOf, withKey, withoutKey } from "./conflicts";
import { commandOf, KEYMAP, type Press } from "../../editor/keys/keymap";
import { LineNumber, WAIT_MS } from "./LineNumber";

const press = (code: string, key: string): Press => ({
  ...{ code, key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false },
});
const playLine = KEYMAP.find(({ command }) => command === "playLine");

it("a key of one's own replaces the keymap's, until it is reset", () => {
  if (playLine === undefined) throw new Error("No such command.");
  const own = withKey({}, playLine, "list", "Y");
  expect(commandOf(press("KeyY", "y"), "list", { own })).toBe("playLine");
  expect(commandOf(press("KeyP", "p"), "list", { own })).toBeUndefined();
  expect(commandOf(press("KeyP", "p"), "list", { own: withoutKey(own, "playLine") })).toBe(
    "playLine",
  );
});

it("refuses keys that mean something else, belong to the browser or write text", () => {
  expect(problemOf("playLine", "list", "M", {})).toMatchObject({
    kind: "taken",
    by: { command: "mergeNext" },
  });
  expect(problemOf("playLine", "list", "Ctrl+W", {})).toEqual({ kind: "reserved" });
  expect(problemOf("playLine", "typing", "Shift+Y", {})).toEqual({ kind: "writes" });
  expect(problemOf("playLine", "list", "Y", {})).toBeUndefined();
});

it("single letters can be turned off; arrows and Space stay", () => {
  const off = { letters: false };
  expect(commandOf(press("KeyP", "p"), "list", off)).toBeUndefined();
  expect(commandOf(press("Comma", ","), "list", off)).toBeUndefined();
  expect(commandOf(press("Space", " "), "list", off)).toBe("toggle");
  expect(commandOf(press("ArrowLeft", "ArrowLeft"), "list", off)).toBe("back");
});

it("finds commands by name and by key", () => {
  expect(matching("merge", {}).map(({ command }) => command)).toEqual([
    "mergePrevious",
    "mergeNext",
  ]);
  expect(matching("F3", {}).length).toBe(2);
});

it("a typed number goes to its line, at once with Enter", () => {
  vi.useFakeTimers();
  const gone: number[] = [];
  const number = new LineNumber((line) => gone.push(line));
  for (const key of ["1", "2", "Enter"]) number.press(key);
  expect(gone).toEqual([12]);
  number.press("7");
  vi.advanceTimersByTime(WAIT_MS);
  expect(gone).toEqual([12, 7]);
  number.press("3");
  expect(number.press("Escape")).toBe(true);
  vi.advanceTimersByTime(WAIT_MS);
  expect(gone).toEqual([12, 7]);
  expect(number.press("0")).toBe(false);
  vi.useRealTimers();
});
