import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { expect, test } from "vitest";
import { LOCALES } from "./locale";

type Catalogue = Readonly<Record<string, string>>;

const files = import.meta.glob<Catalogue>("../messages/*/*.json", {
  eager: true,
  import: "default",
});

/** The catalogues of a language by name. */
function cataloguesOf(language: string): Record<string, Catalogue> {
  const found: Record<string, Catalogue> = {};
  for (const [path, catalogue] of Object.entries(files)) {
    const [name = "", folder] = path.slice(0, -".json".length).split("/").reverse();
    if (folder === language && name !== "language") found[name] = catalogue;
  }
  return found;
}

const english = cataloguesOf("en");
const translations = LOCALES.filter(({ value }) => value !== "en");

/** Words that are the same in several languages, names and units. */
const SAME =
  /^[^a-zA-Z]*$|^(\{[^{}]*\}|[^a-zA-Z{}]|\b(API|URL|IP|CPU|GPU|ID|CSV|SRT|VTT|ASS|TXT|DOCX|PDF|PNG|JPEG|ZIP|MP4|MP3|WAV|FFmpeg|Sagascript|Stripe|Webhook|HMAC|SHA|HTTPS?|SMTP|kB|MB|GB|TB|min|s|h|ms|B|x|px|fps|SDH|OK)\b)*$/;

/** What a message takes: names of values and tags, whatever their order and number. */
function placeholders(message: string): string[] {
  const names = new Set<string>();
  const visit = (elements: MessageFormatElement[]): void => {
    for (const element of elements) {
      if (element.type !== TYPE.literal && element.type !== TYPE.pound) names.add(element.value);
      if (element.type === TYPE.tag) visit(element.children);
      if (element.type === TYPE.plural || element.type === TYPE.select)
        for (const { value } of Object.values(element.options)) visit(value);
    }
  };
  visit(parse(message));
  return [...names].sort();
}

test("each catalogue has a module that gives it out", () => {
  const modules = Object.keys(import.meta.glob("../messages/*.ts"));
  expect(modules.map((path) => path.slice("../messages/".length, -".ts".length)).sort()).toEqual(
    Object.keys(english).sort(),
  );
});

test.each(translations)("$label is complete in every catalogue that it has", (language) => {
  const catalogues = cataloguesOf(language.value);
  if (language.isWhole) expect(Object.keys(catalogues).sort()).toEqual(Object.keys(english).sort());
  // Visitors meet these together; a page in two languages would be worse than one in English.
  else
    expect(Object.keys(catalogues)).toEqual(expect.arrayContaining(["auth", "landing", "shell"]));
  for (const [name, catalogue] of Object.entries(catalogues))
    expect(Object.keys(catalogue).sort(), name).toEqual(Object.keys(english[name] ?? {}).sort());
});

test.each(translations)("$label takes the same values as the English sentence", ({ value }) => {
  for (const [name, catalogue] of Object.entries(cataloguesOf(value)))
    for (const [key, message] of Object.entries(catalogue))
      expect(placeholders(message), `${name}: ${key}`).toEqual(
        placeholders(english[name]?.[key] ?? ""),
      );
});

test.each(translations)("no English sentence is left in $label", ({ value }) => {
  const left = Object.entries(cataloguesOf(value)).flatMap(([name, catalogue]) =>
    Object.entries(catalogue)
      .filter(
        ([key, message]) =>
          message.split(" ").length > 2 && !SAME.test(message) && english[name]?.[key] === message,
      )
      .map(([key]) => `${name}: ${key}`),
  );
  expect(left).toEqual([]);
});
