import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { dropDraft, heldDraft, holdDraft } from "./drafts";

const kept = new Map<string, string>();
beforeEach(() => {
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});
afterEach(() => {
  kept.clear();
  vi.unstubAllGlobals();
});

it("holds what was typed into each text, with its version", () => {
  holdDraft("one", { content: "mine", version: 3 });
  expect(heldDraft("one")).toEqual({ content: "mine", version: 3 });
  expect(heldDraft("two")).toBeUndefined();
  dropDraft("one");
  expect(heldDraft("one")).toBeUndefined();
});

it.each(["", "null", "{", '"text"', '{"content":"of another build"}', '{"version":1}'])(
  "takes nothing from what it cannot read: %s",
  (held) => {
    kept.set("sagascript.aitext.one", held);
    expect(heldDraft("one")).toBeUndefined();
  },
);
