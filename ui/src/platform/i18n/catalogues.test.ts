import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { expect, test, vi } from "vitest";
type Catalogue = Readonly<Record<string, string>>;

const english: Record<string, Catalogue> = {};
vi.doMock("./messages", () => ({
  messages: (name: string, catalogue: Catalogue) => {
    english[name] = catalogue;
    return () => "";
  },
}));
await Promise.all(Object.values(import.meta.glob("./en/*.ts")).map((load) => load()));
const icelandic = Object.fromEntries(
  Object.entries(import.meta.glob<Catalogue>("./is/*.ts", { eager: true, import: "default" })).map(
    ([path, catalogue]) => [path.slice("./is/".length, -".ts".length), catalogue],
  ),
);

/** Words that are the same in both languages, names and units. */
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

test("every feature is there in Icelandic with the same keys", () => {
  expect(Object.keys(icelandic).sort()).toEqual(Object.keys(english).sort());
  for (const [name, catalogue] of Object.entries(english))
    expect(Object.keys(icelandic[name] ?? {}).sort(), name).toEqual(Object.keys(catalogue).sort());
});

test("a translation takes the same values as the English sentence", () => {
  for (const [name, catalogue] of Object.entries(english))
    for (const [key, message] of Object.entries(catalogue))
      expect(placeholders(icelandic[name]?.[key] ?? ""), `${name}.${key}`).toEqual(
        placeholders(message),
      );
});

test("no English sentence is left in an Icelandic catalogue", () => {
  const left = Object.entries(english).flatMap(([name, catalogue]) =>
    Object.entries(catalogue)
      .filter(
        ([key, message]) =>
          message.split(" ").length > 2 &&
          !SAME.test(message) &&
          icelandic[name]?.[key] === message,
      )
      .map(([key]) => `${name}.${key}`),
  );
  expect(left).toEqual([]);
});
