import { locale } from "../../../platform/i18n/locale";
import type { CaptionFormat } from "../../../domain/captions/types";
import type { SpeakerStyle } from "../../../domain/speakers/data";

interface Choice {
  format: CaptionFormat;
  speakers: SpeakerStyle;
  translations: boolean;
}

/** Where the captions of these files come from as one ZIP file. */
export function archiveUrl(ids: readonly string[], choice: Choice): string {
  const params = new URLSearchParams(ids.map((id) => ["ids", id]));
  params.set("format", choice.format);
  if (choice.speakers !== "none") params.set("speakers", choice.speakers);
  if (choice.translations) params.set("translations", "true");
  params.set("in", locale);
  return `/api/files/captions.zip?${params}`;
}
