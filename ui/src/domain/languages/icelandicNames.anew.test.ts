import { afterEach, expect, test, vi } from "vitest";

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

test("languages have Icelandic names once the table is there", async () => {
  const { loadLanguageNames, languageName } = await inChrome(async () => ({
    ...(await import("../../platform/i18n/languageNames")),
    ...(await import("./languages")),
  }));
  await loadLanguageNames();
  expect(["sv-SE", "pt-BR", "jw", "??"].map((code) => languageName(code, "X (Y)"))).toEqual([
    "X (Y)",
    "brasílísk portúgalska",
    "javanska",
    "X (Y)",
  ]);
  expect(languageName("sv-SE", "Swedish")).toBe("sænska");
});
