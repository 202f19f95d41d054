import { describe, expect, it } from "vitest";
import type { MediaFile } from "../files/data";
import { EFFECTS, noticeOf, withEvent, type Action, type PollingEvent, type Queue } from "./events";

const name = "talk.mp4";
const rows: [Queue, Action, string[], string | undefined][] = [
  ["Tus", "Completed", ["uploads", "files"], "'talk.mp4' is uploaded and waiting for processing."],
  [
    "Tus",
    "Failed",
    ["uploads", "files"],
    "An error occurred when trying to preprocess the 'talk.mp4' video.",
  ],
  ["Upload", "Progress", ["files", "file/s"], undefined],
  ["Upload", "Transcribing", ["files", "file/s", "uploads"], undefined],
  [
    "Upload",
    "Failed",
    ["files", "file/s", "uploads"],
    "Something broke while preprocessing your upload 'talk.mp4'. :S",
  ],
  ["Transcribe", "Dispatched", ["files", "file/s"], "Preparing to transcribe your video."],
  ["Transcribe", "Started", ["files", "file/s"], "Started transcribing your video."],
  ["Transcribe", "Progress", ["files", "file/s", "captions/s"], undefined],
  [
    "Transcribe",
    "Completed",
    ["files", "file/s", "captions/s"],
    "Your video transcription is ready.",
  ],
  [
    "Transcribe",
    "Failed",
    ["files", "file/s", "captions/s"],
    "An error occurred while attempting to transcribe your video.",
  ],
  [
    "Encoding",
    "Failed",
    ["files", "file/s"],
    "Something broke while processing your video 'talk.mp4'. :S",
  ],
  ["Export", "Completed", ["exports/s", "files", "file/s"], "The export of 'talk.mp4' is ready."],
  [
    "Export",
    "Failed",
    ["exports/s", "files", "file/s"],
    "Something broke while trying to export 'talk.mp4' with is subtitles. :S",
  ],
  [
    "Minutes",
    "Failed",
    ["files", "file/s"],
    "A problem occurred when trying to generate AI text for 'talk.mp4'.",
  ],
];

describe("realtime events", () => {
  it.each(rows)("%s %s", (queue, action, stale, text) => {
    const effect = EFFECTS[queue][action];
    expect(effect?.stale({ queue, action, slug: "s" })).toEqual(stale);
    expect(effect?.notice?.text(name, "is")).toBe(text);
  });
});

describe("a file as an event tells it", () => {
  const held = { slug: "s", status: "processing", progress: 40, eta_s: 9 } as MediaFile;
  const event = (queue: Queue, action: Action, progress?: number): PollingEvent => ({
    queue,
    action,
    slug: "s",
    progress,
  });
  it.each<[PollingEvent, string, number]>([
    [event("Upload", "Progress", 55), "processing", 55],
    [event("Upload", "Progress", 30), "processing", 40],
    [event("Upload", "Transcribing", 100), "transcribing", 0],
    [event("Transcribe", "Progress", 3), "transcribing", 3],
    [event("Transcribe", "Completed"), "completed", 100],
    [event("Export", "Progress", 70), "processing", 40],
    [{ ...event("Upload", "Progress", 90), slug: "other" }, "processing", 40],
  ])("%o", (happened, status, progress) => {
    expect(withEvent(held, happened)).toMatchObject({ status, progress });
  });

  it("does not show the progress of the phase before as that of the next one", () => {
    const preparing = { ...held, progress: 99, phase: "decoding" };
    const begun = withEvent(preparing, event("Upload", "Transcribing", 100));
    expect(begun).toMatchObject({ status: "transcribing", progress: 0, phase: "" });
    const heard = withEvent(begun, event("Transcribe", "Progress", 3));
    expect(heard).toMatchObject({ progress: 3, phase: "transcribing" });
    // The state of running work is sent again after each new connection.
    expect(withEvent(heard, event("Upload", "Transcribing", 100))).toMatchObject({ progress: 3 });
    expect(withEvent(heard, event("Upload", "Progress", 99))).toBe(heard);
  });

  it("asks for a language instead of reporting a failure", () => {
    const refused = { ...event("Transcribe", "Failed"), code: "language_unsupported" };
    expect(noticeOf(refused)?.type).toBe("warning");
    expect(noticeOf(refused)?.text(name, "")).toBe("Which language is spoken in 'talk.mp4'?");
    expect(noticeOf({ ...refused, code: null })?.type).toBe("error");
  });

  it("stays completed when a late event comes", () => {
    const done = { ...held, status: "completed", progress: 100 } as MediaFile;
    expect(withEvent(done, event("Transcribe", "Progress", 99))).toBe(done);
  });
});
