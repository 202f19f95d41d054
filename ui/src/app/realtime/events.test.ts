import { describe, expect, it } from "vitest";
import type { MediaExport, MediaFile } from "../../domain/files/data";
import { EFFECTS, noticeOf, withEvent, type Action, type PollingEvent, type Queue } from "./events";

const happened = (
  queue: Queue,
  action: Action,
  progress = 0,
  more: Partial<PollingEvent> = {},
): PollingEvent => ({ queue, action, slug: "s", name: "talk", progress, ...more });

type Row = [Queue, Action, string[], string | undefined];
const FILE = ["files?", "file?s"];
const rows: Row[] = [
  ["Tus", "Completed", ["uploads", "files?"], "info"],
  ["Tus", "Failed", ["uploads", "files?"], "error"],
  ["Upload", "Progress", FILE, undefined],
  ["Upload", "Transcribing", [...FILE, "uploads"], undefined],
  ["Upload", "Completed", [...FILE, "uploads"], "success"],
  ["Upload", "Failed", [...FILE, "uploads"], "error"],
  ["Upload", "Abandoned", [...FILE, "uploads"], "generic"],
  ["Transcribe", "Dispatched", FILE, "info"],
  ["Transcribe", "Progress", [...FILE, "captions/s"], undefined],
  ["Transcribe", "Completed", [...FILE, "captions/s", "captions/s?", "translations/s"], "success"],
  ["Transcribe", "Failed", [...FILE, "captions/s"], "error"],
  ["Transcribe", "Abandoned", [...FILE, "captions/s"], "generic"],
  ["Live", "Started", ["files?", "file?s", "live"], undefined],
  ["Live", "Progress", [], undefined],
  ["Live", "Completed", ["files?", "file?s", "live"], "success"],
  ["Live", "Failed", ["files?", "file?s", "live"], "error"],
  ["Encoding", "Failed", FILE, "error"],
  ["Export", "Completed", ["exports/s", ...FILE], "success"],
  ["Export", "Failed", ["exports/s", ...FILE], "error"],
  ["Export", "Abandoned", ["exports/s", ...FILE], "generic"],
  ["Minutes", "Progress", ["aitext/s"], undefined],
  ["Minutes", "Failed", [...FILE, "aitext/s"], "error"],
  ["Translate", "Dispatched", [...FILE, "translations/s", "captions/s?"], "info"],
  ["Translate", "Completed", [...FILE, "translations/s", "captions/s?"], "success"],
  ["Translate", "Failed", [...FILE, "translations/s", "captions/s?"], "error"],
  ["Translate", "Abandoned", [...FILE, "translations/s", "captions/s?"], "generic"],
  ["Translate", "Changed", [...FILE, "translations/s", "captions/s?"], undefined],
  [
    "Team",
    "Changed",
    ["user", "teams", "team/s?", "files?", "file?", "tags", "bin?", "glossary", "caption-styles"],
    undefined,
  ],
  [
    "Speakers",
    "Completed",
    [...FILE, "captions/s", "captions/s?", "translations/s", "speakers/s"],
    "success",
  ],
];

describe("realtime events", () => {
  it.each(rows)("%s %s", (queue, action, stale, type) => {
    const effect = EFFECTS[queue][action];
    expect(effect?.stale(happened(queue, action))).toEqual(stale);
    expect(effect?.notice?.type).toBe(type);
  });
});

it("fetches the lines of the one translation that moves", () => {
  const event = happened("Translate", "Progress", 40, { child: "lang_zh-TW" });
  expect(EFFECTS.Translate.Progress?.stale(event)).toEqual(["translations/s", "captions/s?zh-TW"]);
});

describe("a file as an event shows it", () => {
  const held = { slug: "s", status: "processing", progress: 40, eta_s: 9 } as MediaFile;
  it.each<[PollingEvent, string, number]>([
    [happened("Upload", "Progress", 55), "processing", 55],
    [happened("Upload", "Progress", 30), "processing", 40],
    [happened("Upload", "Transcribing", 100), "transcribing", 0],
    [happened("Upload", "Completed"), "completed", 100],
    [happened("Transcribe", "Progress", 3), "transcribing", 3],
    [happened("Transcribe", "Completed"), "completed", 100],
    [happened("Upload", "Progress", 90, { slug: "other" }), "processing", 40],
  ])("%o", (event, status, progress) => {
    expect(withEvent(held, event)).toMatchObject({ status, progress });
  });

  it("does not show the progress of the phase before as that of the next one", () => {
    const preparing = { ...held, progress: 99, phase: "decoding" };
    const begun = withEvent(preparing, happened("Upload", "Transcribing", 100));
    expect(begun).toMatchObject({ status: "transcribing", progress: 0, phase: "" });
    const moved = withEvent(begun, happened("Transcribe", "Progress", 3));
    expect(moved).toMatchObject({ progress: 3, phase: "transcribing" });
    // The state of running work is sent again after each new connection.
    const again = withEvent(moved, happened("Upload", "Transcribing", 100));
    expect(again).toMatchObject({ progress: 3 });
    expect(withEvent(moved, happened("Upload", "Progress", 99))).toBe(moved);
  });

  it("asks for a language instead of reporting a failure", () => {
    const refused = happened("Transcribe", "Failed", 0, { code: "language_unsupported" });
    expect(noticeOf(refused)?.type).toBe("warning");
    expect(noticeOf({ ...refused, code: null })?.type).toBe("error");
  });

  it("stays completed when a late event comes", () => {
    const done = { ...held, status: "completed", progress: 100 } as MediaFile;
    expect(withEvent(done, happened("Transcribe", "Progress", 99))).toBe(done);
  });
});

describe("work beside a finished file", () => {
  const one = (child: string, status: MediaExport["status"], progress = 0) =>
    ({ child, status, progress }) as MediaExport;
  const done = {
    slug: "s",
    status: "completed",
    progress: 100,
    playback: { status: "preparing", progress: 10, error: null },
    exports: [
      one("lang_is-IS", "submitted"),
      one("lang_zh", "progressing", 50),
      one("lang_zh-TW", "complete", 100),
    ],
  } as MediaFile;

  it("moves the export it is about, never backwards, and not the file", () => {
    const first = withEvent(done, happened("Export", "Progress", 40, { child: "lang_is-IS" }));
    expect(first).toMatchObject({ status: "completed", progress: 100 });
    expect(first.exports).toEqual([one("lang_is-IS", "progressing", 40), ...done.exports.slice(1)]);
    for (const [child, progress] of [
      ["lang_zh", 30],
      ["lang_zh-TW", 30],
    ] as const) {
      expect(withEvent(done, happened("Export", "Progress", progress, { child }))).toEqual(done);
    }
  });

  it("moves the translation it is about, and none that is ready", () => {
    const translation = (language: string, state: "running" | "ready", progress: number) => ({
      ...{ language, label: language, stale: 0, has_lines: true },
      state,
      progress,
    });
    const held = {
      ...done,
      translations: [translation("es", "running", 10), translation("de", "ready", 100)],
    };
    const moved = withEvent(held, happened("Translate", "Progress", 40, { child: "lang_es" }));
    expect(moved).toMatchObject({ status: "completed", exports: done.exports });
    expect(moved.translations.map(({ progress }) => progress)).toEqual([40, 100]);
    const late = happened("Translate", "Progress", 50, { child: "lang_de" });
    expect(withEvent(held, late)).toEqual(held);
  });

  it("moves the playback copy while it is made", () => {
    const event = happened("Encoding", "Progress", 60);
    expect(withEvent(done, event)).toMatchObject({
      status: "completed",
      playback: { progress: 60 },
    });
    const ready = { ...done, playback: { status: "ready", progress: 100, error: null } } as const;
    expect(withEvent(ready, event)).toEqual(ready);
  });
});
