import { expect, it } from "vitest";
import { directionOf } from "./direction";

it.each([
  ["", "ar", "rtl"],
  ["12:30 …", "he-IL", "rtl"],
  ["Hello", "ar", "auto"],
  ["مرحبا", "ar", "auto"],
  ["", "en-US", "auto"],
  ["", undefined, "auto"],
])("%j in %s is %s", (text, language, direction) => {
  expect(directionOf(text, language)).toBe(direction);
});
