import { expect, it } from "vitest";
import { labelOf, optionsOf, suggestionsOf, type Language } from "./languages";

const language = (
  value: string,
  label: string,
  country: string | null,
  reason?: string,
): Language => ({
  value,
  label,
  country,
  available: reason === undefined,
  reason: reason ?? null,
});
const WHISPER = "Needs a Whisper model";

const ENGLISH_ONLY = [
  language("auto", "Detect language", null, WHISPER),
  language("is-IS", "Icelandic", "IS", WHISPER),
  language("en-US", "English (US)", "US"),
  language("en-GB", "English (UK)", "GB"),
  language("en", "English", null),
  language("fr-CA", "French (Canada)", "CA", WHISPER),
  language("fr-CA", "French (Canada)", null, WHISPER),
  language("is", "Icelandic", null, WHISPER),
];

it("offers what works and greys the rest below the reason", () => {
  const options = optionsOf(ENGLISH_ONLY);
  expect(options.map((one) => ("group" in one ? one.group : one.label))).toEqual([
    "Regional",
    "All languages",
    WHISPER,
  ]);
  const greyed = options.at(-1);
  expect(greyed).toEqual({
    group: WHISPER,
    items: [
      { value: "auto", label: "Detect language", disabled: true },
      { value: "is-IS", label: "Icelandic", disabled: true },
      { value: "fr-CA", label: "French (Canada)", disabled: true },
    ],
  });
});

it("has detection first where it works", () => {
  const [first] = optionsOf([
    language("is-IS", "Icelandic", "IS"),
    language("auto", "Detect", null),
  ]);
  expect(first).toEqual({ value: "auto", label: "Detect", disabled: false });
});

it("suggests only what works", () => {
  expect(suggestionsOf(ENGLISH_ONLY, "en-US", ["is-IS", "en-GB", "en", "en-US"])).toEqual([
    "en-US",
    "en-GB",
  ]);
});

it("names every code in words", () => {
  expect(labelOf(ENGLISH_ONLY, "is-IS")).toBe("Icelandic");
  expect(labelOf(ENGLISH_ONLY, "yue")).toBe("Cantonese");
  expect(labelOf(ENGLISH_ONLY, "??")).toBe("Unknown");
});
