import { expect, it } from "vitest";
import { foundWords, searchedFor } from "./search";

it.each([
  ["English", "Icelandic", "English"],
  ["IcelandicEnglish", "Icelandic", "English"],
  ["Icelandic English", "Icelandic", "English"],
  ["Icelandic", "Icelandic", "Icelandic"],
  ["Icel", "Icelandic", "Icel"],
  ["", "Icelandic", ""],
  ["Dan", "", "Dan"],
])("%j over the label %j searches for %j", (text, chosen, search) => {
  expect(searchedFor(text, chosen)).toBe(search);
});

it("says what a search finds and what Press Enter to choose", () => {
  const options = [
    { value: "auto", label: "Detect language" },
    { group: "Regional", items: [{ value: "en-US", label: "English (US)" }] },
    { group: "Needs a model", items: [{ value: "is-IS", label: "Icelandic", disabled: true }] },
  ];
  expect(foundWords(options, "eng")).toBe("1 language. Press Enter to choose English (US).");
  expect(foundWords(options, "i")).toBe("2 languages. Press Enter to choose English (US).");
  expect(foundWords(options, "icel")).toBe("1 language, not supported by the loaded model.");
  expect(foundWords(options, "klingon")).toBe("No matching language.");
});
