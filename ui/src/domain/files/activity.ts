/** Activity beside a file's own status: exports, translations, and the copy for browsers. It does not change the status. */
import { t } from "../../platform/messages/files";
import { languageName } from "../languages/languages";
import type { MediaFile } from "./data";

type Busy = Pick<MediaFile, "status" | "exports" | "playback" | "translations">;

/** A few words such as "Exporting 40%"; null when nothing is running. */
export function activityOf(file: Busy): string | null {
  const running = file.exports.filter((one) => one.status === "progressing");
  const [first] = running;
  if (first !== undefined) {
    const progress = running.reduce((sum, one) => sum + one.progress, 0) / running.length;
    return t("exporting.running", { running: running.length, progress: Math.round(progress) });
  }
  const translating = translationOf(file);
  if (translating !== null) return translating;
  if (file.exports.some((one) => one.status === "submitted")) return t("exportQueued");
  if (file.status === "completed" && file.playback.status === "preparing") {
    return t("playback.progress", { progress: file.playback.progress });
  }
  return null;
}

/** The languages that the captions are being translated into. */
function translationOf({ translations }: Busy): string | null {
  const running = translations.filter(({ state }) => state === "running");
  const [first] = running;
  if (first === undefined) {
    return translations.some(({ state }) => state === "waiting") ? t("translationQueued") : null;
  }
  const into =
    running.length === 1
      ? languageName(first.language, first.label)
      : t("translating.count", { running: running.length });
  const progress = running.reduce((sum, one) => sum + one.progress, 0) / running.length;
  return t("translating.progress", { into, progress: Math.round(progress) });
}
