import type { EditorStore } from "../../domain/captions/store/EditorStore";
import { dialogue, type Dash } from "../../domain/captions/model/dialogue";
import { qualityOf } from "./Quality";
import type { Line } from "../../domain/captions/types";

/** The dash of the profile for two lines of different speakers, where they become a dialogue when they are joined. */
export function dashFor(store: EditorStore, left: Line, right: Line): Dash | undefined {
  const dash = qualityOf(store).getAbout()?.limits.dash ?? undefined;
  if (dash === undefined || left.speaker == null || right.speaker == null) return undefined;
  if (left.speaker === right.speaker) return undefined;
  return dialogue(left.text, right.text, dash) === undefined ? undefined : dash;
}
