/** For `api/tests/captions/test_quality_model.py`: judges lines from standard input, prints the findings. */
import { readFileSync } from "node:fs";
import { besideInLane } from "../lanes";
import type { Line } from "../types";
import { findAt, leastGap } from "./rules";
import type { Limits } from "./types";

interface Case {
  lines: Line[];
  limits: Limits;
  code: string;
  cuts: number[];
  fps: number | null;
  undrawable: string[];
  leaning: string[];
}

const results = (JSON.parse(readFileSync(0, "utf8")) as Case[]).map(
  ({ lines, limits, code, cuts, fps, undrawable, leaning }) => {
    const about = {
      ...{ limits, code, cuts },
      gapMs: leastGap(limits, fps),
      undrawable: new Set(undrawable),
      leaning: new Set(leaning),
    };
    return lines.flatMap((line, index) => findAt(line, besideInLane(lines, index, 1), about));
  },
);
process.stdout.write(JSON.stringify(results));
