/** Captions that go away, are written anew or may only be looked at, while changes of them wait. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../../platform/api/client";
import { newId } from "../model/commands";
import { Bench, offline, texts } from "./bench.testing";
import type { EditorStore } from "./EditorStore";
import { RETRY_MS } from "./exchange/Sender";
import { line, type Table } from "./table.testing";

let bench: Bench;
let table: Table;
/** Longer than any wait before the next try. */
const LONG_MS = Math.max(...RETRY_MS) * 3;
const settle = () => vi.advanceTimersByTimeAsync(0);
const refused = (status: number, code = "") => new ApiError(status, "No.", {}, undefined, code);

beforeEach(() => {
  vi.useFakeTimers();
  bench = new Bench();
  table = bench.table;
});
afterEach(() => vi.useRealTimers());

/** Changes made without a connection, on a page that is closed or stays open. */
async function away(...changes: [string, string][]): Promise<EditorStore> {
  const store = bench.open();
  table.before = offline;
  for (const [id, text] of changes) store.write(id, text);
  store.flush();
  await settle();
  return store;
}

/** All lines are replaced, as another transcription does it. */
function transcribeAgain(): void {
  table.model = { ...table.model, lines: [line("x", 0, "uno"), line("y", 2_000, "dos")] };
  table.revision += 1;
}

describe("somebody who may only look", () => {
  it("changes nothing, and each command says why", () => {
    table.mayChange = false;
    const store = bench.open();
    store.write("a", "mine");
    store.retime("a", { start_ms: 100 });
    expect(store.run({ action: "Delete", line: "b" }).kind).toBe("refused");
    expect(store.run({ action: "Undo" }).kind).toBe("refused");
    expect(texts(store)).toEqual(["one", "two", "three"]);
    expect(bench.problems).toHaveLength(2);
    expect(store.get().save.kind).toBe("saved");
  });

  it("since the role was taken away keeps the text, which is not sent again and again", async () => {
    const store = bench.open();
    let calls = 0;
    table.before = () => ((calls += 1), refused(403));
    store.write("a", "mine");
    store.flush();
    store.write("b", "mine too");
    store.flush();
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(calls).toBe(1);
    expect(store.get()).toMatchObject({
      captions: { may_change: false },
      save: { kind: "failed", closed: "lookOnly", kept: 2 },
    });
    expect(store.written().map(({ text }) => text)).toEqual(["mine", "mine too"]);
    expect(bench.journal.kept?.queue).toHaveLength(2);
    expect(store.run({ action: "Delete", line: "c" }).kind).toBe("refused");
    // Until the person decides, or gets the role back.
    table.before = undefined;
    store.check();
    await settle();
    expect(table.texts).toEqual(["mine", "mine too", "three"]);
    expect(store.get()).toMatchObject({ captions: { may_change: true }, save: { kind: "saved" } });
  });

  it("learns of a new role without having changed anything", async () => {
    const store = bench.open();
    table.mayChange = false;
    store.check();
    await settle();
    expect(store.get().captions.may_change).toBe(false);
    table.mayChange = true;
    store.receive(table.captions());
    expect(store.get().captions.may_change).toBe(true);
  });

  it("discards what waits", async () => {
    const store = await away(["a", "mine"]);
    table.before = () => refused(403);
    store.retry();
    await settle();
    store.discard();
    await settle();
    expect(texts(store)).toEqual(["one", "two", "three"]);
    expect(bench.journal.kept).toBeUndefined();
    expect(store.get().save.kind).toBe("saved");
  });
});

describe.each([
  ["a file in the bin", () => refused(404)],
  ["a file that is gone for good", () => refused(410)],
  ["a deleted translation", () => refused(422, "no_captions_in_language")],
])("%s", (_, error) => {
  it("takes no changes, keeps those that wait, and gets them when it is back", async () => {
    const store = await away(["a", "mine"], ["b", "mine too"]);
    let calls = 0;
    table.before = () => ((calls += 1), error());
    store.retry();
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(calls).toBe(1);
    expect(store.get().save).toMatchObject({ kind: "failed", closed: "gone", kept: 2 });
    expect(store.run({ action: "Delete", line: "c" }).kind).toBe("refused");
    expect(bench.journal.kept?.queue).toHaveLength(2);
    table.before = undefined;
    store.check();
    await settle();
    expect(table.texts).toEqual(["mine", "mine too", "three"]);
    expect(bench.journal.kept).toBeUndefined();
  });
});

it("a page that names a team one has left tries again without it, and loses nothing", async () => {
  const store = await away(["a", "mine"]);
  const answers = [refused(422, "not_your_team"), refused(409, "email_unverified"), refused(404)];
  table.before = () => answers.shift();
  store.retry();
  await settle();
  expect(store.get().save).toMatchObject({ kind: "failed", closed: null, kept: 1 });
  await vi.advanceTimersByTimeAsync(LONG_MS);
  expect(store.get().save).toMatchObject({ kind: "failed", closed: null, kept: 1 });
  store.retry();
  await settle();
  expect(store.get().save).toMatchObject({ kind: "failed", closed: "gone", kept: 1 });
});

describe("a file that was transcribed again asks for each text, and adds it as a line", () => {
  const both = async (store: EditorStore) => {
    expect(store.get().save).toMatchObject({
      kind: "conflict",
      conflict: { mine: "mine", theirs: null, start_ms: 0 },
    });
    store.resolve("theirs");
    await settle();
    expect(store.get().save).toMatchObject({
      kind: "conflict",
      conflict: { mine: "my end", start_ms: 4_000 },
    });
    expect(bench.journal.kept?.conflicts).toHaveLength(1);
    expect(store.resolve("mine")).toBeDefined();
    await settle();
    expect(table.texts).toEqual(["uno", "dos", "my end"]);
    expect(store.get().save.kind).toBe("saved");
    expect(bench.journal.kept).toBeUndefined();
  };

  it("while the page was open", async () => {
    const store = await away(["a", "mine"], ["c", "my end"]);
    transcribeAgain();
    table.before = undefined;
    store.retry();
    store.check();
    await settle();
    await both(store);
  });

  it("while the page was open and saw the new lines arrive", async () => {
    const store = await away(["a", "mine"], ["c", "my end"]);
    store.receive({ ...table.captions(), revision: 0, is_live: true, lines: [line("q", 0, "un")] });
    expect(store.get().captions.lines).toHaveLength(1);
    transcribeAgain();
    table.before = undefined;
    store.receive(table.captions());
    store.retry();
    await settle();
    await both(store);
  });

  it("while the page was closed", async () => {
    (await away(["a", "mine"], ["c", "my end"])).dispose();
    transcribeAgain();
    table.before = undefined;
    const store = bench.open();
    await settle();
    await both(store);
  });

  it("or goes on where the transcription was cancelled", async () => {
    const store = await away(["a", "mine"]);
    store.receive({ ...table.captions(), revision: 0, is_live: true, lines: [] });
    table.before = undefined;
    table.revision = 1;
    store.receive(table.captions());
    store.retry();
    await settle();
    expect(table.texts).toEqual(["mine", "two", "three"]);
  });
});

describe("a line that somebody else changed while this page was closed", () => {
  it.each([
    ["deleted", () => table.others({ action: "Delete", line: "a" }), null],
    ["merged", () => table.others({ action: "Merge", line: "a", with: "b" }), null, "b"],
    [
      "split",
      () => table.others({ action: "Split", line: "a", content: "on e", at: 3, new_line: newId() }),
      "on",
    ],
  ])("%s asks for the text", async (_, change, theirs, id = "a") => {
    (await away([id, "o n e"])).dispose();
    change();
    table.before = undefined;
    const store = bench.open();
    await settle();
    expect(store.get().save).toMatchObject({
      kind: "conflict",
      conflict: { mine: "o n e", theirs },
    });
    expect(bench.journal.kept?.conflicts).toHaveLength(1);
    store.resolve("theirs");
    await settle();
    expect(bench.journal.kept).toBeUndefined();
    expect(store.get().save.kind).toBe("saved");
  });

  it("deleted keeps a text that the server refused", async () => {
    const first = bench.open();
    table.before = () => refused(422);
    first.write("a", "too long");
    first.flush();
    await settle();
    first.dispose();
    table.before = undefined;
    table.others({ action: "Delete", line: "a" });
    const store = bench.open();
    await settle();
    expect(store.get().save).toMatchObject({ kind: "conflict", conflict: { mine: "too long" } });
  });
});
