/** The jobs of a file in plain words. */
import type { Schemas } from "../../platform/api/client";
import { t } from "../../platform/messages/processing";
import { AUTO } from "../../domain/languages/languages";
import { spoken } from "../../domain/files/waiting";

type FileJob = Schemas["FileJobOut"];
type Attempt = Schemas["AttemptOut"];

export const STATES: Record<FileJob["state"], string> = {
  ready: t("waiting"),
  running: t("running"),
  done: t("done"),
  failed: t("failed"),
  cancelled: t("cancelled"),
};

/** Whether the job may still change. */
export const isOpen = (job: FileJob): boolean => job.state === "ready" || job.state === "running";

const ENDINGS: Record<NonNullable<Attempt["ending"]>, string> = {
  done: t("succeeded"),
  retried: t("attempt.retried"),
  failed: t("hasFailed"),
  cancelled: t("wasCancelled"),
  handed_back: t("attempt.interrupted"),
  lease_ended: t("attempt.lost"),
};

interface Say {
  language: (code: string) => string;
  clock: (ms: number) => string;
}

type Fact = [name: string, words: (value: string | number, say: Say) => string];

const seconds = (value: string | number): string => `${Number(value) / 1000} s`;

const FORMALITIES: Record<string, string> = {
  default: t("caption.original"),
  formal: t("formal"),
  informal: t("informal"),
};

const KINDS: Record<string, string> = { video: t("video"), audio: t("sound") };

const FACTS: Record<string, Fact> = {
  filename: [t("file"), String],
  language: [
    t("language"),
    (value, say) => (value === AUTO ? t("detected") : say.language(String(value))),
  ],
  source_language: [t("from"), (value, say) => say.language(String(value))],
  target_language: [t("into"), (value, say) => say.language(String(value))],
  formality: [t("caption.address"), (value) => FORMALITIES[String(value)] ?? String(value)],
  duration_ms: [t("duration"), (value, say) => say.clock(Number(value))],
  kind: [t("kind"), (value) => KINDS[String(value)] ?? String(value)],
  mode: [t("subtitles"), (value) => (value === "burned" ? t("burnedIn") : t("subtitleTrack"))],
  width: [t("width"), (value) => t("valuePixels", { value })],
  height: [t("height"), (value) => t("valuePixels", { value })],
  beam_size: [t("beamSize"), String],
  max_row: [t("rowLength"), (value) => t("caption.characters", { value })],
  max_rows: [t("caption.rows"), (value) => t("caption.upTo", { value })],
  max_speed: [t("readingSpeed"), (value) => t("caption.speed", { value })],
  min_ms: [t("shortestCaption"), seconds],
  max_ms: [t("longestCaption"), seconds],
  gap_ms: [t("caption.gap"), seconds],
};

/** The facts of a job's request, in the order of the table. Unknown keys are left out. */
export function requestFacts(request: FileJob["request"], say: Say): [string, string][] {
  return Object.entries(FACTS).flatMap(([key, [name, words]]) => {
    const value = request[key];
    return value === undefined ? [] : [[name, words(value, say)] as [string, string]];
  });
}

export function attemptWords(attempt: Attempt): string {
  const { number, ending, note, started_at, ended_at } = attempt;
  const how = ending === null ? t("isRunning") : ENDINGS[ending];
  const length =
    ended_at === null
      ? ""
      : t("afterParse", { parse: spoken((Date.parse(ended_at) - Date.parse(started_at)) / 1000) });
  return t("attempt.label", {
    number,
    how,
    length,
    value: note === null ? "" : ` ${note}`,
  });
}
