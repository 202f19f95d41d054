import { expect, it } from "vitest";
import { activityOf } from "./activity";
import type { MediaExport, MediaFile } from "./data";

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
  expect(activityOf({ status, exports, playback })).toBe(words);
});
