/** All rules on a line, as in `pipelines/captions/quality/rules.py`. */
import { isBlank } from "../model/text";
import type { Line } from "../types";
import { textFindings } from "./textRules";
import { timeFindings } from "./timeRules";
import type { Circumstances, Finding, Following, Limits } from "./types";

/** What is wrong with a line. It depends on the line and the one after it alone. */
export function findAt(line: Line, following: Following, about: Circumstances): Finding[] {
  if (isBlank(line.text))
    return [{ rule: "empty", severity: "error", lines: [line.id], values: {} }];
  return [...textFindings(line, about), ...timeFindings(line, following, about)];
}

/** The least gap of a profile at a frame rate, in milliseconds. */
export const leastGap = (limits: Limits, fps: number | null): number =>
  limits.gap_frames == null || fps === null || fps <= 0
    ? limits.gap_ms
    : Math.trunc((limits.gap_frames * 1000) / fps);
