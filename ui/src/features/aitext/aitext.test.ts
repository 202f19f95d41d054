import { describe, expect, it } from "vitest";
import type { MediaFile } from "../../domain/files/data";
import { chipsOf } from "./chips";
import type { AiText, Block, Cite } from "./data";
import { briefWords, withText } from "./texts/fileTexts";
import { groupsOf } from "./groups";
import { coverageWords, staleWords, tabState, versionWords, waitingWords } from "./words";

const cite = (
  line_id: string,
  start_ms: number,
  end_ms: number,
  more: Partial<Cite> = {},
): Cite => ({
  line_id,
  start_ms,
  end_ms,
  text: line_id,
  was: null,
  is_gone: false,
  ...more,
});
const block = (id: string, kind: Block["kind"], stale = false): Block => ({
  id,
  kind,
  stale,
  owner: null,
  due: null,
  sentences: [],
});
const text = (more: Partial<AiText>): AiText =>
  ({
    state: "running",
    progress: 40,
    eta_s: null,
    queue_place: null,
    retry_at: null,
    stalled_s: null,
    is_stale: false,
    ...more,
  }) as AiText;

describe("the chips of a sentence", () => {
  it("join lines that follow each other, in the order of the recording", () => {
    const chips = chipsOf([
      cite("c", 60_000, 62_000),
      cite("a", 0, 2_000),
      cite("b", 2_500, 4_000),
    ]);
    expect(chips.map(({ id, start_ms, end_ms }) => [id, start_ms, end_ms])).toEqual([
      ["a", 0, 4_000],
      ["c", 60_000, 62_000],
    ]);
  });

  it("are marked when one of their lines has changed or is gone", () => {
    const chips = chipsOf([
      cite("a", 0, 1_000),
      cite("b", 1_200, 2_000, { was: "before" }),
      cite("c", 60_000, 61_000, { is_gone: true }),
      cite("d", 90_000, 91_000),
    ]);
    expect(chips.map(({ changed }) => changed)).toEqual([true, true, false]);
  });
});

it("list items that follow each other form a list", () => {
  const kinds = ["heading", "bullet", "action", "paragraph", "bullet"] as const;
  const groups = groupsOf(kinds.map((kind, index) => block(`b${index}`, kind)));
  expect(
    groups.map((group) => (group.kind === "list" ? group.items.length : group.block.kind)),
  ).toEqual(["heading", 2, "paragraph", 1]);
});

it("the card of a file shows each text, and its progress only rises", () => {
  const brief = {
    type: "minutes",
    label: "Minutes",
    language: "is-IS",
    state: "running",
    progress: 40,
  } as const;
  const file = {
    ai_texts: [brief, { ...brief, type: "blog", label: "Blog post", state: "ready" }],
  } as MediaFile;
  const words = (progress: number, child = "minutes_is-IS") =>
    withText(file, { action: "Progress", child, progress }).ai_texts.map(briefWords);
  expect(words(60)).toEqual(["Minutes 60%", "Blog post"]);
  expect(words(20)).toEqual(["Minutes 40%", "Blog post"]);
  expect(words(60, "minutes_en-US")).toEqual(["Minutes 40%", "Blog post"]);
});

describe("words about a text", () => {
  it("say what it waits for", () => {
    expect(waitingWords(text({}))).toBe("Writing: 40%");
    expect(waitingWords(text({ eta_s: 90 }))).toBe("Writing: 40%, about 2 min left");
    expect(waitingWords(text({ stalled_s: 70 }))).toBe("Waiting for the model");
    expect(waitingWords(text({ state: "waiting", queue_place: 3 }))).toBe("Number 3 in the queue");
    expect(waitingWords(text({ state: "waiting", queue_place: 1 }))).toBe("Next in the queue");
    expect(waitingWords(text({ state: "waiting", retry_at: "2026-01-01T00:00:00Z" }))).toBe(
      "Interrupted. It continues by itself.",
    );
  });

  it("mark the tab of what is not ready or out of date", () => {
    expect(tabState(text({ state: "ready" }))).toBe("");
    expect(tabState(text({ state: "ready", is_stale: true }))).toBe("out of date");
    expect(tabState(text({}))).toBe("40%");
  });

  it("count", () => {
    const coverage = { minute_ms: 60_000, speech_ms: [9, 0, 5], cited_ms: [3, 0, 0] };
    expect(coverageWords({ coverage })).toBe("The text cites 1 of 2 minutes with speech");
    expect(staleWords([block("a", "paragraph", true), block("b", "bullet")])).toBe(
      "One part of this text cites captions that have changed since it was written.",
    );
    expect(versionWords({ kind: "restored", by: "Ada" })).toBe("Brought back by Ada");
    expect(versionWords({ kind: "written", by: null })).toBe("Written");
  });
});
