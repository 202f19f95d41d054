/** Forms of caption files as the page groups and names them. */
import { t } from "../../platform/messages/processing";
import type { CaptionForm, CaptionFormat } from "./types";

export const GROUPS: { group: CaptionForm["group"]; label: string }[] = [
  { group: "subtitles", label: t("transfer.subtitles") },
  { group: "broadcast", label: t("transfer.broadcast") },
  { group: "documents", label: t("transfer.documents") },
];

const FORMATS: Record<CaptionFormat, true> = {
  srt: true,
  vtt: true,
  txt: true,
  ass: true,
  ttml: true,
  stl: true,
  scc: true,
  sbv: true,
  docx: true,
  csv: true,
  json: true,
};

/** Whether captions can be downloaded in this form. */
export const isFormat = (id: string): id is CaptionFormat => id in FORMATS;

/** The form that a file's name tells; undefined if it cannot be imported, or the name does not tell. */
export function formOfName(name: string, forms: readonly CaptionForm[]): CaptionForm | undefined {
  const lower = name.toLowerCase();
  return forms.find(
    ({ is_read, suffixes }) => is_read && suffixes.some((one) => lower.endsWith(one)),
  );
}

/** Endings of names, as a file chooser takes them. */
export const accepted = (forms: readonly CaptionForm[]): string =>
  [
    ...forms.filter(({ is_read }) => is_read).flatMap(({ suffixes }) => suffixes),
    "text/plain",
  ].join();
