import { t } from "../../platform/messages/speakers";
import type { SpeakerStyle } from "./data";

/** How captions in a file show who speaks. */
export const SPEAKER_STYLES: { value: SpeakerStyle; label: string }[] = [
  { value: "none", label: t("noSpeakers") },
  { value: "labels", label: t("names") },
  { value: "dashes", label: t("dashes") },
];
