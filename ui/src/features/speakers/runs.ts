/** Which lines a change of speaker is about. */
import type { Schemas } from "../../platform/api/client";
import { t } from "../../platform/messages/speakers";

type Spoken = Pick<Schemas["LineOut"], "id" | "speaker">;

/** The ids of a line and of the lines after it with the same speaker, up to the next change of speaker. */
export function runFrom(lines: readonly Spoken[], id: string): string[] {
  const start = lines.findIndex((line) => line.id === id);
  const first = lines[start];
  if (first === undefined) return [];
  const end = lines.findIndex((line, index) => index > start && line.speaker !== first.speaker);
  return lines.slice(start, end < 0 ? undefined : end).map((line) => line.id);
}

/** The text of a speaking time: "45 s", "12 min", "1 h 5 min". */
export function spokenTime(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return t("minutes", { minutes });
  return t("duration", { minutes: Math.floor(minutes / 60), minutes2: minutes % 60 });
}
