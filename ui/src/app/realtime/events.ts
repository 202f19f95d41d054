/** One table: topic × action → what becomes stale, what changes on the page at once, and which notice appears. */
import type { Schemas } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { withText } from "../../features/aitext/texts/fileTexts";
import { report, reportAccess } from "../../domain/captions/changes";
import { isExporting } from "../../features/exports/data";
import { reportOutlook } from "../../features/live/outlook";
import type { MediaFile } from "../../domain/files/data";
import { asksLanguage, waitsForMinutes } from "../../domain/files/needs";
import type { NoticeType } from "../../platform/notices/store";

export type PollingEvent = Schemas["PollingMessage"];
export type Queue = PollingEvent["queue"];
export type Action = PollingEvent["action"];

export interface Effect {
  /** SWR keys to fetch again. */
  stale: (event: PollingEvent) => string[];
  /** The file's new status and progress, shown before anything is fetched. */
  status?: MediaFile["status"];
  /** The text comes from the event. `done`: nothing is running any more. */
  notice?: { type: NoticeType; done: boolean };
}

const file = (event: PollingEvent): string[] => [keys.files, keys.file(event.slug)];
const fileAndUploads = (event: PollingEvent): string[] => [...file(event), keys.uploads];
const captions = (event: PollingEvent): string[] => [...file(event), keys.captions(event.slug)];
const allCaptions = (event: PollingEvent): string[] => [
  ...captions(event),
  keys.translatedCaptions(event.slug),
  keys.translations(event.slug),
];
const translations = (event: PollingEvent): string[] => [
  ...file(event),
  keys.translations(event.slug),
  keys.translatedCaptions(event.slug),
];
/** The lines so far of one translation. The file's card moves with the event alone. */
const translatedLines = (event: PollingEvent): string[] => [
  keys.translations(event.slug),
  keys.captions(event.slug, languageOf(event)),
];
const texts = (event: PollingEvent): string[] => [...file(event), keys.aiTexts(event.slug)];
/** The blocks so far. The file's card moves with the event alone. */
const textBlocks = (event: PollingEvent): string[] => [keys.aiTexts(event.slug)];
const speakers = (event: PollingEvent): string[] => [keys.speakers(event.slug)];
const spoken = (event: PollingEvent): string[] => [
  ...allCaptions(event),
  keys.speakers(event.slug),
];
/** The editor fetches what changed by itself; any other page that shows the captions fetches all. */
const lines = (event: PollingEvent): string[] => {
  const language = languageOf(event);
  const { slug, revision } = event;
  if (language !== undefined && revision != null && report({ slug, language, revision })) return [];
  return [keys.captions(slug), keys.captions(slug, language)];
};
const recordings = (event: PollingEvent): string[] => [...file(event), keys.live];
/** The page of the recording reads it itself. */
const outlook = ({ slug, text, revision }: PollingEvent): string[] => {
  reportOutlook({ slug, text: text ?? "", final: revision ?? 0 });
  return [];
};
const notes = (event: PollingEvent): string[] => [keys.notes(event.slug)];
const rerun = (event: PollingEvent): string[] => [keys.rerun(event.slug)];
const exports = (event: PollingEvent): string[] => [keys.exports(event.slug), ...file(event)];
/** Everything that shows which files there are and which tags they have. */
const library = (event: PollingEvent): string[] => [...file(event), keys.tags, keys.bin];
/** Who may see a file may have changed: it was moved to another team, or into the bin. */
const place = (event: PollingEvent): string[] => {
  reportAccess(event.slug);
  return library(event);
};
const uploads = (): string[] => [keys.uploads, keys.files];
/** Roles decide who may change what: an open editor looks by itself. */
const team = ({ slug }: PollingEvent): string[] => {
  reportAccess();
  return [
    keys.user,
    keys.teams,
    keys.team(slug),
    keys.files,
    keys.everyFile,
    keys.tags,
    keys.bin,
    keys.glossary,
    keys.captionStyles,
  ];
};

const working = { type: "info", done: false } as const;
const news = { type: "info", done: true } as const;
const success = { type: "success", done: true } as const;
const failure = { type: "error", done: true } as const;
const missed = { type: "warning", done: true } as const;
/** What people do themselves is no failure and needs no colour. */
const calm = { type: "generic", done: true } as const;

export const EFFECTS: Record<Queue, Partial<Record<Action, Effect>>> = {
  Tus: {
    Completed: { stale: uploads, notice: news },
    Failed: { stale: uploads, notice: failure },
  },
  Upload: {
    Dispatched: { stale: fileAndUploads, notice: working },
    Started: { stale: fileAndUploads, notice: working },
    Progress: { stale: file, status: "processing" },
    Transcribing: { stale: fileAndUploads, status: "transcribing" },
    Completed: { stale: fileAndUploads, status: "completed", notice: success },
    Failed: { stale: fileAndUploads, notice: failure },
    Abandoned: { stale: fileAndUploads, notice: calm },
  },
  Transcribe: {
    Dispatched: { stale: file, notice: working },
    Started: { stale: file, notice: working },
    Progress: { stale: captions, status: "transcribing" },
    Completed: { stale: allCaptions, status: "completed", notice: success },
    Failed: { stale: captions, notice: failure },
    Abandoned: { stale: captions, notice: calm },
  },
  Encoding: {
    Dispatched: { stale: file, notice: working },
    Started: { stale: file, notice: working },
    Progress: { stale: file },
    Completed: { stale: file, notice: news },
    Failed: { stale: file, notice: failure },
  },
  Export: {
    Dispatched: { stale: exports, notice: working },
    Started: { stale: exports, notice: working },
    Progress: { stale: exports },
    Completed: { stale: exports, notice: success },
    Failed: { stale: exports, notice: failure },
    Abandoned: { stale: exports, notice: calm },
  },
  Minutes: {
    Dispatched: { stale: texts, notice: working },
    Started: { stale: texts, notice: working },
    Progress: { stale: textBlocks },
    Completed: { stale: texts, notice: success },
    Failed: { stale: texts, notice: failure },
    Abandoned: { stale: texts, notice: calm },
  },
  Translate: {
    Dispatched: { stale: translations, notice: working },
    Started: { stale: translations, notice: working },
    Progress: { stale: translatedLines },
    Completed: { stale: translations, notice: success },
    Failed: { stale: translations, notice: failure },
    Abandoned: { stale: translations, notice: calm },
    Changed: { stale: translations },
  },
  Speakers: {
    Dispatched: { stale: speakers, notice: working },
    Started: { stale: speakers, notice: working },
    Progress: { stale: file },
    Completed: { stale: spoken, notice: success },
    Failed: { stale: speakers, notice: failure },
    Omitted: { stale: (event) => [...file(event), ...speakers(event)], notice: missed },
    Abandoned: { stale: speakers, notice: calm },
  },
  Captions: {
    Changed: { stale: lines },
  },
  Live: {
    Started: { stale: recordings },
    Progress: { stale: outlook },
    Changed: { stale: recordings },
    Completed: { stale: recordings, status: "completed", notice: success },
    Failed: { stale: recordings, notice: failure },
  },
  Note: {
    Added: { stale: notes, notice: news },
    Changed: { stale: notes },
  },
  Rerun: {
    Dispatched: { stale: rerun },
    Started: { stale: rerun, notice: working },
    Progress: { stale: rerun },
    Completed: { stale: rerun, notice: success },
    Failed: { stale: rerun, notice: failure },
    Abandoned: { stale: rerun, notice: calm },
    Changed: { stale: rerun },
  },
  File: {
    Changed: { stale: place },
    Deleted: { stale: place },
    Restored: { stale: place },
  },
  Tag: {
    Changed: { stale: library },
    Deleted: { stale: library },
  },
  Team: {
    Changed: { stale: team },
  },
};

const CHILD = "lang_";

/** The code of the language that an event is about. */
export const languageOf = ({ child }: Pick<PollingEvent, "child">): string | undefined =>
  child?.startsWith(CHILD) === true ? child.slice(CHILD.length) : undefined;

/** A file that needs another language, or more minutes, asks a question; it has not failed. */
const question = { type: "warning", done: true } as const;

export const noticeOf = ({ queue, action, code = null }: PollingEvent): Effect["notice"] =>
  asksLanguage({ error_code: code }) || waitsForMinutes({ error_code: code })
    ? question
    : EFFECTS[queue]?.[action]?.notice;

/** `Transcribing` carries 100 for the phase that ended; the next one starts at 0. */
function progressOf(held: MediaFile, event: PollingEvent, status: MediaFile["status"]): number {
  if (event.action === "Completed") return 100;
  if (event.action === "Transcribing") return status === held.status ? held.progress : 0;
  return event.progress;
}

/** The phase in the terms of `FileOut.phase`. A finished phase is not shown with the next one's progress. */
function phaseOf(held: MediaFile, event: PollingEvent, status: MediaFile["status"]): string {
  if (event.queue === "Transcribe" && event.action === "Progress") return "transcribing";
  return status === held.status ? held.phase : "";
}

/** The file with the event applied, before it is refetched. */
export function withEvent(held: MediaFile, event: PollingEvent): MediaFile {
  if (held.slug !== event.slug) return held;
  if (event.action === "Progress" && event.queue === "Export") return withExport(held, event);
  if (event.action === "Progress" && event.queue === "Encoding") return withCopy(held, event);
  if (event.queue === "Minutes") return withText(held, event);
  if (event.queue === "Translate") return withTranslation(held, event);
  const status = EFFECTS[event.queue][event.action]?.status;
  if (status === undefined) return held;
  const progress = progressOf(held, event, status);
  // Events may arrive out of order. A bar never moves backwards within a phase, nor a file to an earlier phase.
  const goesBack =
    (status === held.status && progress < held.progress) ||
    (status === "processing" && held.status === "transcribing");
  if (goesBack || held.status === "completed") return held;
  const eta_s = event.eta_s ?? (status === held.status ? held.eta_s : null);
  const phase = phaseOf(held, event, status);
  const change = { status, progress, phase, eta_s, queue_place: null, retry_at: null };
  return isSame(held, change) ? held : { ...held, ...change };
}

const isSame = (held: MediaFile, change: Partial<MediaFile>): boolean =>
  (Object.keys(change) as (keyof MediaFile)[]).every((name) => held[name] === change[name]);

/** Exports and copies have their own progress and do not change the file's status. */
function withExport(held: MediaFile, { child, progress }: PollingEvent): MediaFile {
  return {
    ...held,
    exports: held.exports.map((one) =>
      one.child === child && isExporting(one)
        ? { ...one, status: "progressing", progress: Math.max(one.progress, progress) }
        : one,
    ),
  };
}

function withCopy(held: MediaFile, { progress }: PollingEvent): MediaFile {
  if (held.playback.status !== "preparing") return held;
  return { ...held, playback: { ...held.playback, progress } };
}

/** The card shows the percentage of each language without being fetched again. */
function withTranslation(held: MediaFile, event: PollingEvent): MediaFile {
  if (event.action !== "Progress") return held;
  const language = languageOf(event);
  const { progress } = event;
  return {
    ...held,
    translations: held.translations.map((one) =>
      one.language === language && (one.state === "running" || one.state === "waiting")
        ? { ...one, state: "running", progress: Math.max(one.progress, progress) }
        : one,
    ),
  };
}
