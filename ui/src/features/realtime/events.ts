/** Queue × action → what becomes stale and what the person is told: one table. */
import { keys } from "../../api/keys";
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
  eta_s?: number | null;
}

export interface Effect {
  stale: (event: PollingEvent) => string[];
  notice?: { type: NoticeType; text: (name: string, language: string) => string; done?: boolean };
}

const file = (event: PollingEvent): string[] => [keys.files, keys.file(event.slug)];
const fileAndUploads = (event: PollingEvent): string[] => [...file(event), keys.uploads];
const captions = (event: PollingEvent): string[] => [...file(event), keys.captions(event.slug)];
const exports = (event: PollingEvent): string[] => [keys.exports(event.slug), ...file(event)];
const uploads = (): string[] => [keys.uploads, keys.files];

export const EFFECTS: Record<Queue, Partial<Record<Action, Effect>>> = {
  Tus: {
    Completed: { stale: uploads, notice: { type: "info", text: texts.tusCompleted } },
    Failed: { stale: uploads, notice: { type: "error", text: texts.tusFailed, done: true } },
  },
  Upload: {
    Dispatched: { stale: fileAndUploads, notice: { type: "info", text: texts.uploadDispatched } },
    Started: { stale: fileAndUploads, notice: { type: "info", text: texts.uploadStarted } },
    Progress: { stale: file },
    Transcribing: { stale: fileAndUploads },
    Completed: { stale: fileAndUploads },
    Failed: {
      stale: fileAndUploads,
      notice: { type: "error", text: texts.uploadFailed, done: true },
    },
  },
  Transcribe: {
    Dispatched: { stale: file, notice: { type: "info", text: texts.transcribeDispatched } },
    Started: { stale: file, notice: { type: "info", text: texts.transcribeStarted } },
    Progress: { stale: captions },
    Completed: {
      stale: captions,
      notice: { type: "success", text: texts.transcribeCompleted, done: true },
    },
    Failed: {
      stale: captions,
      notice: { type: "error", text: texts.transcribeFailed, done: true },
    },
  },
  Encoding: {
    Progress: { stale: file },
    Completed: { stale: file },
    Failed: { stale: file, notice: { type: "error", text: texts.encodingFailed, done: true } },
  },
  Export: {
    Started: { stale: exports, notice: { type: "info", text: texts.exportStarted } },
    Progress: { stale: exports },
    Completed: {
      stale: exports,
      notice: { type: "success", text: texts.exportCompleted, done: true },
    },
    Failed: { stale: exports, notice: { type: "error", text: texts.exportFailed, done: true } },
  },
  Minutes: {
    Dispatched: { stale: file, notice: { type: "info", text: texts.minutesDispatched } },
    Started: { stale: file, notice: { type: "info", text: texts.minutesStarted } },
    Completed: {
      stale: file,
      notice: { type: "success", text: texts.minutesCompleted, done: true },
    },
    Failed: { stale: file, notice: { type: "error", text: texts.minutesFailed, done: true } },
  },
};
