import { useCallback, useEffect, useMemo, useRef } from "react";
import type { Pairs } from "../beside/pairs";
import type { Line } from "../../../domain/captions/types";

/** The keys of all rows. While they stay the same so does the function, or every keystroke would place all rows anew. */
export function useRowKeys(
  pairs: Pairs | undefined,
  lines: Line[],
  marked: number[] | undefined,
  isDraft: boolean,
): (index: number) => string | number {
  const last = useRef<readonly (string | number)[]>([]);
  const keys = useMemo(() => {
    const { length } = pairs?.items ?? marked ?? lines;
    const key = (index: number) => keyOf(pairs, lines, marked?.[index] ?? index, isDraft);
    const held = last.current;
    const isSame = length === held.length && held.every((one, index) => one === key(index));
    return isSame ? held : Array.from({ length }, (_, index) => key(index));
  }, [pairs, lines, marked, isDraft]);
  useEffect(() => {
    last.current = keys;
  }, [keys]);
  return useCallback((index) => keys[index] ?? index, [keys]);
}

/** Draft lines of running work get new ids each time; only their start is stable. */
function keyOf(
  pairs: Pairs | undefined,
  lines: Line[],
  index: number,
  isDraft: boolean,
): string | number {
  const item = pairs?.items[index];
  if (item?.kind === "gap") return item.source.id;
  const line = item?.line ?? lines[index];
  return (isDraft ? line?.start_ms : line?.id) ?? index;
}
