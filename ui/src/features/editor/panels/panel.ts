/** What a tool beside the lines is opened with. */
import type { MediaFile } from "../../../domain/files/data";
import type { Editing } from "../editing";

export const PANEL_IDS = [
  ...(["find", "quality", "review", "spelling", "history", "notes"] as const),
  ...(["style", "timing", "reference", "glossary", "rerun", "ai", "speakers"] as const),
];
export type PanelId = (typeof PANEL_IDS)[number];

/** Where a panel is found: the rail beside the lines has one button for each place. */
export type PlaceId = "edit" | "check" | "speakers" | "style" | "translate" | "text" | "versions";

/** What the opener tells a panel, such as the word to search for. */
export type PanelParams = Readonly<Record<string, string>>;

export interface PanelProps {
  file: MediaFile;
  editing: Editing;
  /** The captions cannot change now. */
  readOnly: boolean;
  close: () => void;
  params: PanelParams;
  /** How often it was opened in this visit; 0 when it is open because it was at the last visit. A rise means: take the focus. */
  openings: number;
}
