import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

async function pageIn(languages: string[], stored?: string) {
  const element = { lang: "" };
  vi.stubGlobal("document", { documentElement: element });
  vi.stubGlobal("navigator", { languages });
  vi.stubGlobal("localStorage", { getItem: () => stored ?? null });
  const { messages } = await import("./messages");
  return { element, messages, ...(await import("./locale")) };
}

test("a page is in the first language of the browser that we have", async () => {
  const { element, locale, formatLocale } = await pageIn(["fr-FR", "is-IS", "en-GB"]);
  expect([element.lang, locale, formatLocale]).toEqual(["is", "is", "is-IS"]);
});

test("what the browser chose before comes first, with its own variety for dates", async () => {
  const { locale, formatLocale } = await pageIn(["is-IS", "en-GB"], "en");
  expect([locale, formatLocale]).toEqual(["en", "en-GB"]);
});

test("where the browser has no Icelandic, numbers are written as in Danish", async () => {
  vi.spyOn(Intl.NumberFormat, "supportedLocalesOf").mockReturnValueOnce([]);
  const { messages, locale } = await pageIn(["is-IS"]);
  const t = messages("made-up", { size: "{size, number}" });
  expect([locale, t("size", { size: 1234.5 })]).toEqual(["is", "1.234,5"]);
});

test("sentences of a feature are in the language of the page", async () => {
  await pageIn(["is"]);
  const { t } = await import("../messages/shell");
  expect(t("projects")).toBe("Verkefni");
});

test("a language that lacks a catalogue has its sentences in English", async () => {
  await pageIn(["de-DE"]);
  const { t: shell } = await import("../messages/shell");
  const { t: editor } = await import("../messages/editor");
  expect([shell("page.signOut"), editor("goToLine", { number: 7 })]).toEqual([
    "Abmelden",
    "Go to line 7",
  ]);
});

test("an account can have whole languages only", async () => {
  const { LOCALES, ACCOUNT_LOCALES } = await pageIn(["en"]);
  expect(LOCALES.map(({ label }) => label).sort()).toEqual(["Deutsch", "English", "Íslenska"]);
  expect(ACCOUNT_LOCALES.map(({ value }) => value).sort()).toEqual(["en", "is"]);
});

test("plurals and numbers follow the language", async () => {
  const { messages } = await pageIn(["en"]);
  const t = messages("made-up", {
    lines: "{count, plural, one {# line} other {# lines}}",
    day: "{day, date, long}",
  });
  expect([t("lines", { count: 1 }), t("lines", { count: 1200 })]).toEqual([
    "1 line",
    "1,200 lines",
  ]);
  expect(t("day", { day: new Date(2026, 4, 17) })).toBe("May 17, 2026");
});

test("a sentence may have elements in it", async () => {
  const { messages } = await pageIn(["en"]);
  const t = messages("made-up", { ask: "Delete <b>{name}</b>? It’s gone <link>then</link>." });
  const sentence = t.rich("ask", {
    name: "a <b>",
    b: (parts) => <strong>{parts}</strong>,
    link: (parts) => <a href="/x">{parts}</a>,
  });
  expect(renderToStaticMarkup(sentence)).toBe(
    'Delete <strong>a &lt;b&gt;</strong>? It’s gone <a href="/x">then</a>.',
  );
});
