import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../platform/eventually.testing";
import { offline, texts } from "../captions/store/bench.testing";
import { line, type Table } from "../captions/store/table.testing";
import { rememberAccount } from "../../platform/offline/account";
import { Browser, kill, untilSaved, TRACK } from "./browser.testing";
import { answerFor, COPIES_MAX, keepAnswer } from "./copies";
import { database } from "./database";

let browser: Browser;
let table: Table;
let page: Browser["open"];
beforeEach(() => {
  browser = new Browser();
  ({ table, open: page } = browser);
});
afterEach(() => browser.erase());

describe("a copy of the captions", () => {
  const copy = () => answerFor(TRACK) as Promise<ReturnType<Table["captions"]> | undefined>;
  const visit = async (captions = table.captions()) => {
    const opened = await page("ada", TRACK, captions);
    opened.store.flush();
    await kill(opened);
  };
  beforeEach(() => rememberAccount("ada"));

  it("follows what the server has, and takes what waits on top", async () => {
    const first = await page();
    first.store.write("a", "saved");
    first.store.flush();
    await untilSaved(first.store);
    first.store.run({ action: "Delete", line: "c" });
    await untilSaved(first.store);
    table.before = offline;
    first.store.write("b", "waits");
    await kill(first);
    const held = await copy();
    expect(held?.lines.map(({ text }) => text)).toEqual(["saved", "two"]);
    expect(held?.revision).toBe(2);
    // The page opens without a network, and can be edited.
    const second = await page("ada", TRACK, held);
    expect(texts(second.store)).toEqual(["saved", "waits"]);
    expect(second.store.get().locked).toBe(false);
    second.store.write("a", "saved later");
    await eventually(() => expect(second.store.get().save.kind).toBe("failed"));
    table.before = undefined;
    second.store.retry();
    await untilSaved(second.store);
    expect(table.texts).toEqual(["saved later", "waits"]);
  });

  it("older than the journal is brought up to date before anything is compared", async () => {
    const held = table.captions();
    table.others({ action: "Edit", line: "b", content: "theirs" });
    const first = await page();
    table.before = offline;
    first.store.write("a", "mine");
    await kill(first);
    table.before = undefined;
    const { store } = await page("ada", TRACK, held);
    await untilSaved(store);
    expect(texts(store)).toEqual(["mine", "theirs", "three"]);
    expect(table.texts).toEqual(texts(store));
  });

  it("is made anew for another track at the same address and revision", async () => {
    await visit();
    const other = { ...table.captions(), id: "other", lines: [line("x", 0, "other")] };
    await visit(other);
    expect((await copy())?.lines.map(({ text }) => text)).toEqual(["other"]);
  });

  it("of an earlier build is not used, and made anew", async () => {
    await visit();
    const held = await database();
    const stored = await held?.get("copies", ["ada", TRACK]);
    delete stored?.form;
    if (stored) await held?.put("copies", stored, ["ada", TRACK]);
    await held?.put("lines", line("former", 0, "former"), ["ada", TRACK, "former"]);
    expect(await copy()).toBeUndefined();
    await keepAnswer("ada", "user", { id: "ada" });
    expect(await answerFor("user")).toEqual({ id: "ada" });
    await held?.put("answers", { value: { id: "ada" } }, ["ada", "user"]);
    expect(await answerFor("user")).toBeUndefined();
    await visit();
    expect((await copy())?.lines.map(({ text }) => text)).toEqual(["one", "two", "three"]);
  });

  it("is nobody else's", async () => {
    await kill(await page("ada"));
    rememberAccount("bob");
    expect(await copy()).toBeUndefined();
    await keepAnswer("ada", "user", { id: "ada" });
    expect(await answerFor("user")).toBeUndefined();
    await kill(await page("bob", "captions/other"));
    rememberAccount("ada");
    expect(await copy()).toBeUndefined();
  });

  it("is kept of the newest files alone", async () => {
    for (let file = 0; file < COPIES_MAX + 2; file += 1) {
      const opened = await page("ada", `captions/${file}`);
      opened.store.flush();
      await kill(opened);
    }
    expect(await (await database())?.count("copies")).toBe(COPIES_MAX);
    expect(await answerFor("captions/0")).toBeUndefined();
    expect(await answerFor(`captions/${COPIES_MAX + 1}`)).toBeDefined();
  });
});
