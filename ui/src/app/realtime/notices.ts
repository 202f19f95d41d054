/** Shows an event as a notice about its file, and as a toast when something ended. */
import {
  notify,
  notifyProgress,
  withdrawChild,
  type NoticeCategory,
  type NoticeType,
} from "../../platform/notices/store";
import { toast } from "../../platform/notices/toast";
import { trackPath } from "../../domain/captions/trackPath";
import { languageOf, noticeOf, type PollingEvent } from "./events";

/** Work beside the transcription has its own notices, so that one does not move the other's bar. */
const BESIDE: Partial<Record<PollingEvent["queue"], string>> = {
  Encoding: "playback",
  Minutes: "minutes",
  Translate: "translation",
  Speakers: "speakers",
  Note: "note",
  Rerun: "rerun",
};

const CATEGORY: Partial<Record<PollingEvent["queue"], NoticeCategory>> = {
  Tus: "assets",
  Upload: "assets",
  Export: "export",
};

/** The notice of an upload, whose slug is not the file's. */
const uploadOf = (name: string): string => `upload ${name}`;

/** An export and a translation into the same language have the same child. */
const childOf = ({ child, queue, name }: PollingEvent): string | null => {
  if (queue === "Tus") return uploadOf(name);
  const beside = BESIDE[queue] ?? null;
  return child == null || beside === null ? (child ?? beside) : `${beside} ${child}`;
};

const routeOf = (event: PollingEvent, done: boolean): string | null => {
  const { slug, queue } = event;
  if (queue === "Tus") return null;
  const language = languageOf(event);
  if (queue === "Live") return `/live/${slug}`;
  if (queue === "Translate" && language !== undefined) return trackPath(slug, language);
  return done ? `/captions/${slug}` : `/captions/processing/${slug}`;
};

const TOASTED = new Set<NoticeType>(["success", "error", "warning"]);

export function showEvent(event: PollingEvent): void {
  if (event.queue === "Live" && event.action === "Progress") return;
  if (event.action === "Progress") {
    notifyProgress(event.slug, childOf(event), event.progress);
    return;
  }
  // What was waiting for processing is being processed, or is through with it.
  if (event.queue === "Upload" || event.queue === "Transcribe") withdrawChild(uploadOf(event.name));
  const notice = noticeOf(event);
  const message = event.message ?? "";
  if (notice === undefined || message === "") return;
  notify({
    slug: event.slug,
    child: childOf(event),
    type: notice.type,
    category: CATEGORY[event.queue] ?? "files",
    message,
    name: message.includes(event.name) ? null : event.name,
    is_completed: notice.done,
    progress: event.progress,
    route: routeOf(event, notice.done),
  });
  const about = message.includes(event.name) ? undefined : event.name;
  if (TOASTED.has(notice.type)) toast(notice.type, message, undefined, about);
}
