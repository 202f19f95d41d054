import { expect, it } from "vitest";
import { FILES_MAX, keepPlace, lastPlace } from "./lastPlace";

function storage(): Storage {
  const held = new Map<string, string>();
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
  } as Storage;
}

it("remembers the place in each of the last files", () => {
  const kept = storage();
  for (let file = 0; file <= FILES_MAX; file += 1)
    keepPlace(`f${file}`, { line: `line-${file}`, ms: file }, kept);
  keepPlace("f7", { line: null, ms: 9_000 }, kept);
  expect(lastPlace("f0", kept)).toBeUndefined();
  expect(lastPlace("f1", kept)).toEqual({ line: "line-1", ms: 1 });
  expect(lastPlace("f7", kept)).toEqual({ line: null, ms: 9_000 });
});

it("opens at the beginning when the storage holds something else", () => {
  const kept = storage();
  kept.setItem("sagascript.places", '[["f1", null], 3, "x"]');
  expect(lastPlace("f1", kept)).toBeUndefined();
  kept.setItem("sagascript.places", "{");
  expect(lastPlace("f1", kept)).toBeUndefined();
});
