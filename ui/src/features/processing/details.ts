/** The jobs of a file in plain words. */
import type { Schemas } from "../../api/client";
import { AUTO } from "../files/languages";
import { spoken } from "../files/waiting";

type FileJob = Schemas["FileJobOut"];
type Attempt = Schemas["AttemptOut"];

export const STATES: Record<FileJob["state"], string> = {
  ready: "Waiting",
  running: "Running",
  done: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
};

/** Whether the job may still change. */
export const isOpen = (job: FileJob): boolean => job.state === "ready" || job.state === "running";

const ENDINGS: Record<NonNullable<Attempt["ending"]>, string> = {
  done: "succeeded",
  retried: "failed and was retried",
  failed: "failed",
  cancelled: "cancelled",
  handed_back: "interrupted by a server restart",
  lease_ended: "lost when its server stopped responding",
};

interface Say {
  language: (code: string) => string;
  clock: (ms: number) => string;
}

type Fact = [name: string, words: (value: string | number, say: Say) => string];

const seconds = (value: string | number): string => `${Number(value) / 1000} s`;

const FORMALITIES: Record<string, string> = {
  default: "As in the original",
  formal: "Formal",
  informal: "Informal",
};

const FACTS: Record<string, Fact> = {
  filename: ["File", String],
  language: [
    "Language",
    (value, say) => (value === AUTO ? "Detected" : say.language(String(value))),
  ],
  source_language: ["From", (value, say) => say.language(String(value))],
  target_language: ["Into", (value, say) => say.language(String(value))],
  formality: ["Form of address", (value) => FORMALITIES[String(value)] ?? String(value)],
  duration_ms: ["Duration", (value, say) => say.clock(Number(value))],
  kind: ["Kind", String],
  mode: ["Subtitles", (value) => (value === "burned" ? "Burned in" : "Subtitle track")],
  width: ["Width", (value) => `${value} pixels`],
  height: ["Height", (value) => `${value} pixels`],
  beam_size: ["Beam size", String],
  max_row: ["Row length", (value) => `up to ${value} characters`],
  max_rows: ["Rows per caption", (value) => `up to ${value}`],
  max_speed: ["Reading speed", (value) => `up to ${value} characters per second`],
  min_ms: ["Shortest caption", seconds],
  max_ms: ["Longest caption", seconds],
  gap_ms: ["Gap between captions", seconds],
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
  const how = ending === null ? "running" : ENDINGS[ending];
  const length =
    ended_at === null
      ? ""
      : ` after ${spoken((Date.parse(ended_at) - Date.parse(started_at)) / 1000)}`;
  return `Attempt ${number}: ${how}${length}.${note === null ? "" : ` ${note}`}`;
}
