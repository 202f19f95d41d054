import { Button } from "@mantine/core";
import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { usePublicConfig } from "../../../api/publicConfig";
import type { Editing } from "../editing";
import { usePlayback } from "../player/usePlayback";
import type { Line } from "../types";
import { useView } from "../useEditorStore";
import { LineRow } from "./LineRow";
import { onScreenAt, startedAt } from "./timeline";
import styles from "./lines.module.css";

const ROW_ESTIMATE = 66;

/** The list of lines; only those in view are rendered. It follows playback until the person scrolls away. */
export function LineList({ editing, readOnly }: { editing: Editing; readOnly: boolean }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(true);
  const lines = useView(editing.store, (view) => view.captions.lines);
  const locked = useView(editing.store, (view) => view.locked);
  const rules = usePublicConfig()?.captions;
  const focus = useSyncExternalStore(editing.subscribe, editing.getFocus);
  const { selected, caret } = focus;
  const chosen = lines.findIndex((line) => line.id === selected);
  const started = usePlayback(editing.playback, ({ nowMs }) => startedAt(lines, nowMs));
  const onScreen = usePlayback(editing.playback, ({ nowMs }) => onScreenAt(lines, nowMs));
  const playing = usePlayback(editing.playback, (playback) => playback.playing);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_ESTIMATE,
    getItemKey: (index) => keyOf(lines, index, readOnly),
    overscan: 6,
    rangeExtractor: useCallback((range: Range) => withLine(range, chosen), [chosen]),
  });

  useEffect(() => {
    if (following && started >= 0) rows.scrollToIndex(started, { align: "center" });
  }, [started, following, rows]);

  // A line selected by a key, on the waveform or by undo scrolls into view; a clicked line is in view already.
  useEffect(() => {
    const index = editing.store.get().captions.lines.findIndex((line) => line.id === selected);
    const { range } = rows;
    if (index < 0 || range === null) return;
    const seen = range.startIndex <= index && index <= range.endIndex;
    if (!seen || caret !== undefined) rows.scrollToIndex(index, { align: "auto" });
  }, [selected, caret, rows, editing]);

  // While nothing plays, only the person's own scrolling counts.
  const away = () => setFollowing(false);
  return (
    <div className={styles.linesBox} data-locked={locked || undefined} aria-busy={locked}>
      {locked && (
        <p className={styles.linesLocked} role="status">
          Waiting for the server…
        </p>
      )}
      <div
        ref={scroller}
        className={styles.lines}
        role="list"
        aria-label="Caption lines"
        tabIndex={0}
        onWheel={away}
        onTouchMove={away}
        onFocusCapture={(event) => event.target instanceof HTMLTextAreaElement && away()}
      >
        <div style={{ height: rows.getTotalSize() }} className={styles.linesSheet}>
          {rows.getVirtualItems().map((item) => {
            const line = lines[item.index];
            if (line === undefined) return null;
            return (
              <div
                key={item.key}
                ref={rows.measureElement}
                data-index={item.index}
                className={styles.lineSlot}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <LineRow
                  line={line}
                  number={item.index + 1}
                  playing={item.index === onScreen}
                  selected={line.id === selected}
                  menuOpen={line.id === focus.menu}
                  readOnly={readOnly || locked}
                  rules={rules}
                  caret={focus.caret?.id === line.id ? focus.caret : undefined}
                  editing={editing}
                />
              </div>
            );
          })}
        </div>
      </div>
      {!following && (playing || started >= 0) && (
        <Button
          className={styles.jump}
          size="compact-sm"
          radius="xl"
          onClick={() => setFollowing(true)}
        >
          Jump to current
        </Button>
      )}
    </div>
  );
}

/** The rows in view, and always the selected one: a text box that is removed would lose the focus. */
function withLine(range: Range, index: number): number[] {
  const indexes = defaultRangeExtractor(range);
  if (index < 0 || index >= range.count || indexes.includes(index)) return indexes;
  return [...indexes, index].sort((a, b) => a - b);
}

/** Draft lines of a running transcription get new ids each time; only their start is stable. */
function keyOf(lines: Line[], index: number, readOnly: boolean): string | number {
  const line = lines[index];
  return (readOnly ? line?.start_ms : line?.id) ?? index;
}
