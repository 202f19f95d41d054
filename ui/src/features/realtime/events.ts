/** Queue × action → what becomes stale, what changes on the page at once, and what the person is told: one table. */
import { keys } from "../../api/keys";
import type { MediaFile } from "../files/data";
import type { NoticeType } from "../notifications/store";
import { texts } from "./messages";

export type Queue = "Tus" | "Upload" | "Transcribe" | "Encoding" | "Export" | "Minutes";
export type Action =
  "Dispatched" | "Started" | "Progress" | "Transcribing" | "Completed" | "Failed";

export interface PollingEvent {
  queue: Queue;
  action: Action;
  slug: string;
  child?: string | null;
  progress?: number;
  name?: string | null;
  message?: string | null;
  /** What the file waits for when it failed for want of a choice: that of `FileOut.error_code`. */
  code?: string | null;
  eta_s?: number | null;
  /** Work got no further for a while (true), or does again (false). */
  stalled?: boolean | null;
}

export interface Effect {
  /** SWR keys to fetch again. */
  stale: (event: PollingEvent) => string[];
  /** The file's new status and progress, shown before anything is fetched. */
  status?: MediaFile["status"];
  notice?: { type: NoticeType; text: (name: string, language: string) => string; done?: boolean };
}

const file = (event: PollingEvent): string[] => [keys.files, keys.file(event.slug)];
const fileAndUploads = (event: PollingEvent): string[] => [...file(event), keys.uploads];
const captions = (event: PollingEvent): string[] => [...file(event), keys.captions(event.slug)];
const exports = (event: PollingEvent): string[] => [keys.exports(event.slug), ...file(event)];
const uploads = (): string[] => [keys.uploads, keys.files];

const info = (text: (name: string, language: string) => string) => ({
  type: "info" as const,
  text,
});
const success = (text: (name: string) => string) => ({
  type: "success" as const,
  text,
  done: true,
});
const failure = (text: (name: string, language: string) => string) => ({
  type: "error" as const,
  text,
  done: true,
});

export const EFFECTS: Record<Queue, Partial<Record<Action, Effect>>> = {
  Tus: {
    Completed: { stale: uploads, notice: { ...info(texts.tusCompleted), done: true } },
    Failed: { stale: uploads, notice: failure(texts.tusFailed) },
  },
  Upload: {
    Dispatched: { stale: fileAndUploads, notice: info(texts.uploadDispatched) },
    Started: { stale: fileAndUploads, notice: info(texts.uploadStarted) },
    Progress: { stale: file, status: "processing" },
    Transcribing: { stale: fileAndUploads, status: "transcribing" },
    Completed: { stale: fileAndUploads, status: "completed" },
    Failed: { stale: fileAndUploads, notice: failure(texts.uploadFailed) },
  },
  Transcribe: {
    Dispatched: { stale: file, notice: info(texts.transcribeDispatched) },
    Started: { stale: file, notice: info(texts.transcribeStarted) },
    Progress: { stale: captions, status: "transcribing" },
    Completed: {
      stale: captions,
      status: "completed",
      notice: success(texts.transcribeCompleted),
    },
    Failed: { stale: captions, notice: failure(texts.transcribeFailed) },
  },
  Encoding: {
    Started: { stale: file },
    Progress: { stale: file },
    Completed: { stale: file },
    Failed: { stale: file, notice: failure(texts.encodingFailed) },
  },
  Export: {
    Dispatched: { stale: exports },
    Started: { stale: exports, notice: info(texts.exportStarted) },
    Progress: { stale: exports },
    Completed: { stale: exports, notice: success(texts.exportCompleted) },
    Failed: { stale: exports, notice: failure(texts.exportFailed) },
  },
  Minutes: {
    Dispatched: { stale: file, notice: info(texts.minutesDispatched) },
    Started: { stale: file, notice: info(texts.minutesStarted) },
    Completed: { stale: file, notice: success(texts.minutesCompleted) },
    Failed: { stale: file, notice: failure(texts.minutesFailed) },
  },
};

/** A file that waits for another language has a question and no failure. */
const LANGUAGE_QUESTION: NonNullable<Effect["notice"]> = {
  type: "warning",
  text: texts.languageQuestion,
  done: true,
};

export const noticeOf = ({ queue, action, code }: PollingEvent): Effect["notice"] =>
  code === "language_unsupported" ? LANGUAGE_QUESTION : EFFECTS[queue]?.[action]?.notice;

/** `Transcribing` says 100 of the phase that has ended; the one that comes begins at 0. */
function progressOf(held: MediaFile, event: PollingEvent, status: MediaFile["status"]): number {
  if (event.action === "Completed") return 100;
  if (event.action === "Transcribing") return status === held.status ? held.progress : 0;
  return event.progress ?? held.progress;
}

/** What goes on in the words of `FileOut.phase`; a phase that is over is not shown beside the next one's progress. */
function phaseOf(held: MediaFile, event: PollingEvent, status: MediaFile["status"]): string {
  if (event.queue === "Transcribe" && event.action === "Progress") return "transcribing";
  return status === held.status ? held.phase : "";
}

/** The file as the event tells it, before the server is asked. */
export function withEvent(held: MediaFile, event: PollingEvent): MediaFile {
  const status = EFFECTS[event.queue][event.action]?.status;
  if (status === undefined || held.slug !== event.slug) return held;
  const progress = progressOf(held, event, status);
  // Events may overtake each other: a bar never runs backwards within one phase, nor a file to the phase before.
  const goesBack =
    (status === held.status && progress < held.progress) ||
    (status === "processing" && held.status === "transcribing");
  if (goesBack || held.status === "completed") return held;
  const eta_s = event.eta_s ?? (status === held.status ? held.eta_s : null);
  const phase = phaseOf(held, event, status);
  return { ...held, status, progress, phase, eta_s, queue_place: null, retry_at: null };
}
