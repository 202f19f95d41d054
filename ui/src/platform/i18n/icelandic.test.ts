import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { ICELANDIC_LANGUAGES } from "./icelandicLanguages";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** An Icelandic page in a browser whose `Intl` has no Icelandic, as Chrome's. */
async function inChrome<Module>(load: () => Promise<Module>): Promise<Module> {
  vi.spyOn(Intl.NumberFormat, "supportedLocalesOf").mockReturnValue([]);
  vi.stubGlobal("document", { documentElement: { lang: "" } });
  vi.stubGlobal("navigator", { languages: ["is-IS"] });
  vi.stubGlobal("localStorage", { getItem: () => null });
  return load();
}

const SHAPES: Intl.DateTimeFormatOptions[] = [
  { dateStyle: "medium", timeStyle: "short" },
  { dateStyle: "medium" },
  { day: "numeric", month: "long", year: "numeric" },
  { month: "short", year: "2-digit" },
  { day: "numeric", month: "short" },
  { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false },
  { weekday: "long" },
];

test("dates without Icelandic in the browser read as those of CLDR", async () => {
  const { dateFormat } = await inChrome(() => import("./dates"));
  for (const options of SHAPES)
    for (let month = 0; month < 12; month += 1) {
      const time = new Date(2026, month, 9 + month, 9, 5, 7);
      expect(dateFormat(options)(time)).toBe(new Intl.DateTimeFormat("is", options).format(time));
    }
});

test("short weekdays are Icelandic", async () => {
  const { dateFormat } = await inChrome(() => import("./dates"));
  const days = Array.from({ length: 7 }, (_, index) => new Date(2026, 10, 23 + index));
  expect(days.map(dateFormat({ weekday: "short" }))).toEqual([
    "mán.",
    "þri.",
    "mið.",
    "fim.",
    "fös.",
    "lau.",
    "sun.",
  ]);
});

test("plurals without Icelandic in the browser follow the rule of CLDR", async () => {
  const { messages } = await inChrome(() => import("./messages"));
  const t = messages("made-up", { lines: "{count, plural, one {# lína} other {# línur}}" });
  const counts = [...Array(130).keys(), 1001, 1011, 1.5, 2.1, 0.1, 10.11];
  const rules = new Intl.PluralRules("is");
  for (const count of counts)
    expect(t("lines", { count }).endsWith("lína"), String(count)).toBe(
      rules.select(count) === "one",
    );
  expect(t("lines", { count: 1221 })).toBe("1.221 lína");
});

test("amounts of money without Icelandic in the browser read as those of CLDR", async () => {
  const { moneyFormat } = await inChrome(() => import("./money"));
  for (const currency of ["USD", "EUR", "ISK"])
    for (const cents of [0, 1900, 123456, -420])
      expect(moneyFormat(currency)(cents)).toBe(
        new Intl.NumberFormat("is", { style: "currency", currency }).format(cents / 100),
      );
});

test("every language of the product has the name that CLDR gives it", () => {
  const listed = readFileSync(
    new URL("../../../../pipelines/languages.py", import.meta.url),
    "utf8",
  );
  const regional = listed.matchAll(/LanguageOption\("([^"]*)", "([^"]+)"/g);
  const others = listed.matchAll(/\b([a-z]{2,3}(?:-[A-Z]{2})?):[A-Z]/g);
  const codes = [
    ...[...regional].map(([, label = "", code = ""]) =>
      label.includes("(") ? code : code.slice(0, 2),
    ),
    ...[...others].map(([, code = ""]) => code),
  ];
  const names = new Intl.DisplayNames(["is"], { type: "language" });
  expect(codes.length).toBeGreaterThan(100);
  for (const code of codes) expect(ICELANDIC_LANGUAGES[code], code).toBe(names.of(code));
});

test("names without Icelandic in the browser stand in the order of the alphabet", async () => {
  const { compareIcelandic } = await import("./icelandicLanguages");
  const names = [
    ...Object.values(ICELANDIC_LANGUAGES),
    "Örn",
    "Ægir",
    "ás",
    "Aron",
    "ðe",
    "dyr",
    "þú",
  ];
  const order = new Intl.Collator("is").compare;
  expect([...names].sort(compareIcelandic)).toEqual([...names].sort(order));
});
