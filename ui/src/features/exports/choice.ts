import type { Schemas } from "../../platform/api/client";
import type { MediaExport } from "../../domain/files/data";
import type { SpeakerStyle } from "../../domain/speakers/data";
import type { ExportOptions, ExportRequest } from "./data";

export type Mode = MediaExport["mode"];
export type Aspect = Schemas["ExportSettings"]["aspect"];
export type Fit = Schemas["ExportSettings"]["fit"];
export type Quality = Schemas["ExportSettings"]["quality"];
export type FileForm = NonNullable<Schemas["ExportSettings"]["file_form"]>;

/** What the dialog has chosen. What depends on one file (tracks, part, languages) is not remembered. */
export interface Choice {
  mode: Mode;
  speakers: SpeakerStyle;
  aspect: Aspect;
  fit: Fit;
  height: number | null;
  quality: Quality;
  cropX: number;
  cropY: number;
  fileForm: FileForm | null;
  styleId: string | null;
  requireClean: boolean;
  languages: string[];
  sounds: number[] | null;
  part: { from: string; to: string } | null;
}

export const FIRST_CHOICE: Choice = {
  mode: "burned",
  speakers: "none",
  aspect: "original",
  fit: "pad",
  height: null,
  quality: "standard",
  cropX: 0.5,
  cropY: 0.5,
  fileForm: null,
  styleId: null,
  requireClean: false,
  languages: [],
  sounds: null,
  part: null,
};

const STORED = "export-choice";
const REMEMBERED = [
  "mode",
  "speakers",
  "aspect",
  "fit",
  "height",
  "quality",
  "fileForm",
  "requireClean",
] as const;

export function lastChoice(): Choice {
  try {
    const stored = JSON.parse(localStorage.getItem(STORED) ?? "{}") as Partial<Choice>;
    const known = Object.fromEntries(
      REMEMBERED.filter((key) => key in stored).map((key) => [key, stored[key]]),
    );
    return { ...FIRST_CHOICE, ...known };
  } catch {
    return FIRST_CHOICE;
  }
}

export function remember(choice: Choice): void {
  try {
    const kept = Object.fromEntries(REMEMBERED.map((key) => [key, choice[key]]));
    localStorage.setItem(STORED, JSON.stringify(kept));
  } catch {
    // Without storage, the next dialog starts from the usual choice.
  }
}

/** The chosen file form, or the first one of the mode where the mode does not offer it. */
export function formOf(choice: Choice, options: ExportOptions): FileForm {
  const forms = options.file_forms[choice.mode] ?? [];
  const isOffered = choice.fileForm !== null && forms.includes(choice.fileForm);
  return (isOffered ? choice.fileForm : forms[0]) ?? "mp4";
}

const ONE_SOUND: readonly FileForm[] = ["mp3", "wav", "flac"];

/** Whether a file of this form holds a single sound track. */
export const holdsOneSound = (form: FileForm): boolean => ONE_SOUND.includes(form);

/** The short sides that may be chosen now, besides the original's own. */
export function heightsFor(options: ExportOptions, choice: Choice): number[] {
  const found = options.heights.find(
    (one) => one.aspect === choice.aspect && one.fit === choice.fit,
  );
  return found?.heights ?? [];
}

/** Milliseconds of `1:02:03`, `2:03` or `3.5`; null for anything else. */
export function timeOf(text: string): number | null {
  const parts = text.trim().split(":");
  if (parts.length > 3 || !parts.every((part) => /^\d{1,5}([.,]\d{1,3})?$/.test(part))) return null;
  return Math.round(
    parts.reduce((whole, part) => whole * 60 + Number(part.replace(",", ".")), 0) * 1000,
  );
}

/** The part in milliseconds; null for the whole file, "wrong" where the times make no part. */
export function partOf(
  choice: Choice,
  durationMs: number | null,
): { start: number; end: number } | null | "wrong" {
  if (choice.part === null) return null;
  const start = choice.part.from === "" ? 0 : timeOf(choice.part.from);
  const end = choice.part.to === "" ? durationMs : timeOf(choice.part.to);
  if (start === null || end === null || start >= end) return "wrong";
  return durationMs !== null && start >= durationMs ? "wrong" : { start, end };
}

/** The body of the call; only what the chosen mode can use. */
export function requestOf(
  choice: Choice,
  language: string,
  options: ExportOptions,
  accept_boxes: boolean,
): ExportRequest {
  const isDrawn = choice.mode === "burned";
  const part = partOf(choice, options.duration_ms);
  const isOffered =
    choice.fileForm !== null && options.file_forms[choice.mode]?.includes(choice.fileForm);
  return {
    language,
    languages: choice.mode === "soft" ? choice.languages.filter((code) => code !== language) : [],
    mode: choice.mode,
    speakers: choice.speakers,
    accept_boxes,
    require_clean: choice.requireClean && choice.mode !== "audio",
    file_form: isOffered ? choice.fileForm : null,
    aspect: isDrawn ? choice.aspect : "original",
    fit: choice.fit,
    height:
      isDrawn && heightsFor(options, choice).includes(choice.height ?? 0) ? choice.height : null,
    quality: choice.quality,
    crop_x: choice.cropX,
    crop_y: choice.cropY,
    sounds: choice.sounds,
    style_id: isDrawn ? choice.styleId : null,
    clip_start_ms: part === null || part === "wrong" ? null : part.start,
    clip_end_ms: part === null || part === "wrong" ? null : part.end,
  };
}
