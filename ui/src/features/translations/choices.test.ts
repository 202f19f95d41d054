import { describe, expect, it } from "vitest";
import { choicesOf, suggestionsOf } from "./choices";
import type { TargetLanguage } from "../../domain/translations/types";

const target = (value: string, label: string, more: Partial<TargetLanguage> = {}) => ({
  value,
  label,
  available: true,
  reason: null,
  via: null,
  ...more,
});
const NO_MODEL = "No model for this pair";
const TARGETS = [
  target("es", "Spanish"),
  target("is-IS", "Icelandic", { via: "Apertium" }),
  target("is", "Icelandic", { via: "Apertium" }),
  target("en-US", "English (US)"),
  target("de", "German"),
  target("fi", "Finnish", { available: false, reason: NO_MODEL }),
  target("et", "Estonian", { available: false, reason: NO_MODEL }),
];

describe("the languages of the dialog", () => {
  it("are grouped by what can be done with them", () => {
    const groups = choicesOf(TARGETS, [{ language: "de" }]);
    expect(groups.map(({ group, items }) => [group, items.map(({ label }) => label)])).toEqual([
      ["Available", ["Spanish", "Icelandic", "English (US)"]],
      ["Already translated", ["German"]],
      [NO_MODEL, ["Finnish", "Estonian"]],
    ]);
    expect(groups.slice(1).every(({ items }) => items.every(({ disabled }) => disabled))).toBe(
      true,
    );
  });

  it("that are likely come first, and only those that work", () => {
    const groups = choicesOf(TARGETS, []);
    expect(suggestionsOf(groups, ["is-IS", "fi-FI"], "ca")).toEqual(["is-IS", "en-US", "es", "de"]);
    expect(suggestionsOf(choicesOf([TARGETS[5] ?? expect.fail()], []), ["fi"], "ca")).toEqual([]);
    expect(suggestionsOf(groups, ["en-US"], "en-GB")).toEqual(["es", "is-IS", "de"]);
  });
});
