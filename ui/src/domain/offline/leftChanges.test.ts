import { afterEach, beforeEach, expect, it } from "vitest";
import { offline } from "../captions/store/bench.testing";
import { rememberAccount } from "../../platform/offline/account";
import { Browser, kill, journalCount, TRACK } from "./browser.testing";
import { discardChanges, leftChanges } from "./leftChanges";

let browser: Browser;
const signal = () => new AbortController().signal;
beforeEach(() => {
  browser = new Browser();
  rememberAccount("ada");
  browser.table.before = offline;
});
afterEach(() => browser.erase());

it("finds what closed pages wrote in each language, and nothing of open pages or other people", async () => {
  const original = await browser.open();
  original.store.write("c", "the end");
  original.store.write("a", "the start");
  const spanish = await browser.open("ada", `${TRACK}?es`);
  spanish.store.write("a", "el principio");
  const other = await browser.open("bob");
  other.store.write("b", "Bob's");
  const file = await browser.open("ada", "captions/talk-2");
  file.store.write("b", "another file");
  await kill(original, spanish, other, file);
  const open = await browser.open("ada", `${TRACK}?is`);
  open.store.write("a", "byrjunin");

  const found = await leftChanges("talk", undefined, signal());
  expect(found.map(({ count, written }) => [count, written.map(({ text }) => text)])).toEqual([
    [2, ["the start", "the end"]],
    [1, ["el principio"]],
  ]);
  expect(found[0]?.written.map(({ start_ms }) => start_ms)).toEqual([0, 4_000]);
  browser.locks.closePages();
  expect(await leftChanges("talk", "es", signal())).toHaveLength(1);
  rememberAccount("");
  expect(await leftChanges("talk", undefined, signal())).toEqual([]);
});

it("discards only what was chosen", async () => {
  const [first, second] = [await browser.open(), await browser.open("ada", `${TRACK}?es`)];
  first.store.write("a", "mine");
  second.store.write("a", "mío");
  await kill(first, second);
  await discardChanges(await leftChanges("talk", "es", signal()));
  expect(await journalCount()).toBe(1);
  expect(await leftChanges("talk", "es", signal())).toEqual([]);
});
