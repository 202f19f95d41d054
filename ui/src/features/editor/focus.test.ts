import { expect, it } from "vitest";
import { endOfChange } from "./focus";

it.each([
  ["morning.", "morning. Please.", "morning. Please."],
  ["morning. Please.", "morning.", "morning."],
  ["the old harbour", "the new harbour", "the new"],
  ["", "all", "all"],
  ["same", "same", "same"],
  ["aa", "aaa", "aaa"],
])("the caret after %j became %j stands behind %j", (old, now, before) => {
  expect(now.slice(0, endOfChange(old, now))).toBe(before);
});
