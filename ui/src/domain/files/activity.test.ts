import { expect, it } from "vitest";
import { activityOf } from "./activity";
import type { MediaExport, MediaFile } from "./data";
import type { FileTranslation, TranslationState } from "../translations/types";

const exporting = (status: MediaExport["status"], progress = 0) =>
  ({ status, progress }) as MediaExport;
const ready: MediaFile["playback"] = { status: "ready", progress: 100, error: null };
const preparing: MediaFile["playback"] = { status: "preparing", progress: 30, error: null };

it.each<[string | null, MediaFile["status"], MediaExport[], MediaFile["playback"]]>([
  [null, "completed", [], ready],
  [null, "completed", [exporting("complete", 100), exporting("error")], ready],
  ["Exporting 40%", "completed", [exporting("complete"), exporting("progressing", 40)], ready],
  [
    "Exporting 2 videos, 30%",
    "completed",
    [exporting("progressing", 20), exporting("progressing", 40)],
    preparing,
  ],
  ["Export queued", "completed", [exporting("submitted")], preparing],
  ["Preparing playback 30%", "completed", [], preparing],
  [null, "transcribing", [], preparing],
])("%s", (words, status, exports, playback) => {
  expect(activityOf({ status, exports, playback, translations: [] })).toBe(words);
});

const translation = (label: string, state: TranslationState, progress = 0) => ({
  language: label,
  label,
  state,
  progress,
  stale: 0,
  has_lines: true,
});

it.each<[string | null, FileTranslation[]]>([
  [null, [translation("Spanish", "ready", 100), translation("German", "failed", 40)]],
  ["Translation queued", [translation("Spanish", "waiting")]],
  ["Translating to Spanish 40%", [translation("Spanish", "running", 40)]],
  [
    "Translating to 2 languages 50%",
    [translation("Spanish", "running", 40), translation("German", "running", 60)],
  ],
])("%s", (words, translations) => {
  expect(activityOf({ status: "completed", exports: [], playback: ready, translations })).toBe(
    words,
  );
});
