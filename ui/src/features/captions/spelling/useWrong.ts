import { useMemo, useSyncExternalStore } from "react";
import type { Range } from "../../../domain/captions/marks";
import type { Spelling } from "./Spelling";

/**
 * The unknown words of a text. Each verdict on a half-typed word is new: only rows whose own marks change render again,
 * not all that are in view.
 */
export function useWrong(spelling: Spelling, text: string): readonly Range[] {
  const get = useMemo(() => {
    let held: readonly Range[] | undefined;
    let marks = -1;
    return () => {
      if (held === undefined || marks !== spelling.getMarks()) {
        marks = spelling.getMarks();
        const fresh = spelling.wrongIn(text);
        if (held === undefined || !isSame(held, fresh)) held = fresh;
      }
      return held;
    };
  }, [spelling, text]);
  return useSyncExternalStore(spelling.subscribe, get);
}

const isSame = (some: readonly Range[], others: readonly Range[]): boolean =>
  some.length === others.length &&
  some.every(({ start, end }, at) => start === others[at]?.start && end === others[at].end);
