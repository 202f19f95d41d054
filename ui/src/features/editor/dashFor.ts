import type { Editing } from "./editing";
import { dialogue, type Dash } from "../../domain/captions/model/dialogue";
import { qualityOf } from "./quality/Quality";
import type { Line } from "../../domain/captions/types";

/** The dash of the profile for two lines of different speakers, where they become a dialogue when they are joined. */
export function dashFor(editing: Editing, left: Line, right: Line): Dash | undefined {
  const dash = qualityOf(editing).getAbout()?.limits.dash ?? undefined;
  if (dash === undefined || left.speaker == null || right.speaker == null) return undefined;
  if (left.speaker === right.speaker) return undefined;
  return dialogue(left.text, right.text, dash) === undefined ? undefined : dash;
}
