import type { SpeakerStyle } from "./data";

/** How captions in a file show who speaks. */
export const SPEAKER_STYLES: { value: SpeakerStyle; label: string }[] = [
  { value: "none", label: "No speakers" },
  { value: "labels", label: "Names" },
  { value: "dashes", label: "Dashes" },
];
