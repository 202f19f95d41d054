import { memo, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { pairUp, type Pairs } from "../beside/pairs";
import type { Editing } from "../../editor/editing";
import { useTexts } from "../quality/LineMark";
import { useAbout, useFindings } from "../quality/useQuality";
import type { Line } from "../../../domain/captions/types";
import { useView } from "../../editor/useView";
import { useChecks, useFound } from "../rows/checks";
import { LineRows } from "./LineRows";
import { useEditor } from "../../editor/context";
import { takesText } from "../../editor/editorState";

interface Props {
  /** Lines of the source track to show beside those of a translation. */
  sources?: readonly Line[] | undefined;
}

/** The list of lines. What all rows share is found out here, so that scrolling renders nothing but rows. */
export const LineList = memo(function LineList({ sources }: Props) {
  const { editing, state } = useEditor();
  const readOnly = !takesText(state);
  const lines = useView(editing.store, (view) => view.captions.lines);
  const selected = useSyncExternalStore(editing.subscribe, () => editing.getFocus().selected);
  const pairs = usePairs(lines, sources);
  const marked = useMarked(editing, lines, pairs === undefined ? selected : undefined);
  return (
    <LineRows
      editing={editing}
      readOnly={readOnly}
      lines={lines}
      isDraft={useView(editing.store, (view) => view.captions.draft !== null)}
      pairs={pairs}
      marked={marked}
      about={useAbout(editing)}
      texts={useTexts()}
      checks={useChecks(editing)}
      found={useFound(editing)}
    />
  );
});

/**
 * The places of the lines with findings and of the selected one, while the list shows these alone. Two tracks side by
 * side, where `selected` is undefined, stay whole.
 */
function useMarked(
  editing: Editing,
  lines: readonly Line[],
  selected: string | null | undefined,
): number[] | undefined {
  const { only, lines: withFindings } = useFindings(editing);
  return useMemo(() => {
    if (!only || selected === undefined) return undefined;
    return lines.flatMap(({ id }, index) =>
      withFindings.has(id) || id === selected ? [index] : [],
    );
  }, [lines, only, selected, withFindings]);
}

/** The pairs of both tracks; undefined while one is shown alone. Rows of unchanged lines keep their objects. */
function usePairs(lines: readonly Line[], sources: readonly Line[] | undefined) {
  const last = useRef<Pairs>(undefined);
  const pairs = useMemo(() => sources && pairUp(lines, sources, last.current), [lines, sources]);
  useEffect(() => {
    last.current = pairs;
  }, [pairs]);
  return pairs;
}
