import { expect, it } from "vitest";
import { searchedFor } from "./search";

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
