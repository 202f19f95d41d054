import { Button } from "@mantine/core";
import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual";
import {
  memo,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
} from "react";
import { t } from "../../../platform/messages/editor";

import type { Pairs } from "../beside/pairs";
import type { Editing } from "../../editor/editing";
import type { Found } from "../find/Search";
import { usePlayback } from "../../editor/playback/usePlayback";
import type { Circumstances, Texts } from "../../../domain/captions/quality/types";
import type { Line } from "../../../domain/captions/types";
import { useView } from "../../editor/useView";
import type { Checks } from "../rows/checks";
import { GapRow } from "../rows/GapRow";
import { LineRow } from "../rows/LineRow";
import { lastStop, nextStop } from "./lineTabs";
import { useRowKeys } from "../rows/rowKeys";
import { besideInLane } from "../../../domain/captions/lanes";
import { linesOfText, onScreenText, startedAt } from "../../../domain/captions/timeline";
import styles from "./lines.module.css";

/** What a row of one row of text measures: rows that measure something else are placed twice. */
const ROW_ESTIMATE = 84;
/** Rows drawn above and below those in view. */
const OVERSCAN = 6;

interface Props {
  editing: Editing;
  readOnly: boolean;
  lines: Line[];
  isDraft: boolean;
  /** The rows of two tracks side by side. */
  pairs: Pairs | undefined;
  /** The places of the lines to show; undefined for all. */
  marked: number[] | undefined;
  about: Circumstances | undefined;
  texts: Texts | undefined;
  checks: Checks;
  found: Found | null;
}

/** The rows of the list; only those in view are rendered. It follows playback until the person scrolls away. */
export const LineRows = memo(function LineRows(props: Props) {
  const { editing, readOnly, lines, isDraft, pairs, marked, about, texts, checks, found } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(true);
  const locked = useView(editing.store, (view) => view.locked);
  const isPart = useView(editing.store, (view) => view.captions.isPart === true);
  const focus = useSyncExternalStore(editing.subscribe, editing.getFocus);
  const { selected, caret } = focus;
  const itemOf = useCallback(
    (index: number) => pairs?.itemOf[index] ?? marked?.indexOf(index) ?? index,
    [marked, pairs],
  );
  const chosenLine = useMemo(
    () => lines.findIndex((line) => line.id === selected),
    [lines, selected],
  );
  const chosen = chosenLine < 0 ? -1 : itemOf(chosenLine);
  const started = usePlayback(editing.playback, ({ nowMs }) => startedAt(lines, nowMs));
  const shown = usePlayback(editing.playback, ({ nowMs }) => onScreenText(lines, nowMs));
  const onScreen = useMemo(() => new Set(linesOfText(lines, shown)), [lines, shown]);
  const playing = usePlayback(editing.playback, (playback) => playback.playing);
  const rows = useVirtualizer({
    count: pairs?.items.length ?? marked?.length ?? lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_ESTIMATE,
    getItemKey: useRowKeys(pairs, lines, marked, isDraft),
    // Rows out of view are there before they are needed, so drawing them may wait until the frame is drawn.
    useFlushSync: false,
    // The rows in view are drawn first.
    overscan: useDeferredValue(OVERSCAN, 0),
    rangeExtractor: useCallback((range: Range) => withLine(range, chosen), [chosen]),
  });

  useEffect(() => {
    if (following && started >= 0) rows.scrollToIndex(itemOf(started), { align: "center" });
  }, [started, following, rows, itemOf]);

  const pairsNow = useRef(pairs);
  useEffect(() => {
    pairsNow.current = pairs;
  }, [pairs]);

  // A line selected by a key, on the waveform or by undo scrolls into view; a clicked line is in view already.
  useEffect(() => {
    const at = editing.store.get().captions.lines.findIndex((line) => line.id === selected);
    const { range } = rows;
    if (at < 0 || range === null) return;
    const index = pairsNow.current?.itemOf[at] ?? at;
    const seen = range.startIndex <= index && index <= range.endIndex;
    if (!seen || caret !== undefined) rows.scrollToIndex(index, { align: "auto" });
  }, [selected, caret, rows, editing]);

  // While nothing plays, only the person's own scrolling counts.
  const away = () => setFollowing(false);
  const after = useRef<HTMLButtonElement>(null);
  const tab = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== "Tab" || !(event.target instanceof Element) || scroller.current === null)
      return;
    const next =
      event.currentTarget === scroller.current
        ? nextStop(scroller.current, event.target, event.shiftKey, selected)
        : event.shiftKey
          ? lastStop(scroller.current, selected)
          : undefined;
    if (next === undefined) return;
    event.preventDefault();
    (next === "end" ? after.current : next)?.focus();
  };
  const { range } = rows;
  const current = started < 0 ? -1 : itemOf(started);
  const isInView = range !== null && range.startIndex <= current && current <= range.endIndex;
  return (
    <div className={styles.linesBox} data-locked={locked || undefined}>
      {locked && (
        <p className={styles.linesLocked} role="status">
          {t("waitingForServer")}
        </p>
      )}
      <div
        ref={scroller}
        className={styles.lines}
        role="list"
        aria-label={t("lines")}
        aria-busy={locked || isPart}
        tabIndex={0}
        onKeyDown={tab}
        onWheel={away}
        onTouchMove={away}
        onFocusCapture={(event) => event.target instanceof HTMLTextAreaElement && away()}
      >
        <div style={{ height: rows.getTotalSize() }} className={styles.linesSheet}>
          {rows.getVirtualItems().map((item) => {
            const row = pairs?.items[item.index];
            const index = row?.kind === "pair" ? row.index : (marked?.[item.index] ?? item.index);
            const line = row?.kind === "gap" ? undefined : lines[index];
            if (row?.kind !== "gap" && line === undefined) return null;
            const next = besideInLane(lines, index, 1);
            return (
              <div
                key={item.key}
                ref={rows.measureElement}
                data-index={item.index}
                className={styles.lineSlot}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                {line === undefined ? (
                  row?.kind === "gap" && (
                    <GapRow source={row.source} readOnly={readOnly || locked} editing={editing} />
                  )
                ) : (
                  <LineRow
                    line={line}
                    number={index + 1}
                    count={lines.length}
                    playing={onScreen.has(line)}
                    selected={line.id === selected}
                    chosen={focus.many.has(line.id)}
                    menuOpen={line.id === focus.menu}
                    readOnly={readOnly || locked}
                    about={about}
                    texts={texts}
                    nextId={next?.id}
                    nextStart={next?.start_ms}
                    checks={checks}
                    foundAt={found?.line === line.id ? found.start : -1}
                    caret={focus.caret?.id === line.id ? focus.caret : undefined}
                    editing={editing}
                    sources={row?.kind === "pair" ? row.sources : undefined}
                    continues={row?.kind === "pair" && row.continues}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
      <button
        ref={after}
        type="button"
        className={styles.backToLine}
        onKeyDown={tab}
        onClick={() => editing.goTo()}
      >
        {t("panes.backToLine")}
      </button>
      {!following && !isInView && (playing || started >= 0) && (
        <Button
          className={styles.jump}
          size="compact-sm"
          radius="xl"
          onClick={() => setFollowing(true)}
        >
          {t("jumpToCurrent")}
        </Button>
      )}
    </div>
  );
});

/** The rows in view, and always the selected one: a text box that is removed would lose the focus. */
function withLine(range: Range, index: number): number[] {
  const indexes = defaultRangeExtractor(range);
  if (index < 0 || index >= range.count || indexes.includes(index)) return indexes;
  return [...indexes, index].sort((a, b) => a - b);
}
