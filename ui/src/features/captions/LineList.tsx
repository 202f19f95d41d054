import { Button } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { LineRow, type RowActions } from "./LineRow";
import type { Line } from "./types";

interface Props {
  lines: Line[];
  current: number;
  selected: string | null;
  readOnly: boolean;
  actions: RowActions;
}

const ROW_ESTIMATE = 74;

/** All lines, of which only those in view are drawn. It follows playback until the person scrolls away. */
export function LineList({ lines, current, selected, readOnly, actions }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(true);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_ESTIMATE,
    getItemKey: (index) => lines[index]?.id ?? index,
    overscan: 8,
  });

  useEffect(() => {
    if (following && current >= 0) rows.scrollToIndex(current, { align: "center" });
  }, [current, following, rows]);

  return (
    <div className="lines-box">
      <div
        ref={scroller}
        className="lines"
        role="list"
        aria-label="Caption lines"
        tabIndex={-1}
        onWheel={() => setFollowing(false)}
        onTouchMove={() => setFollowing(false)}
      >
        <div style={{ height: rows.getTotalSize(), position: "relative" }}>
          {rows.getVirtualItems().map((item) => {
            const line = lines[item.index];
            if (line === undefined) return null;
            return (
              <div
                key={item.key}
                ref={rows.measureElement}
                data-index={item.index}
                className="line-slot"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <LineRow
                  line={line}
                  number={item.index + 1}
                  playing={item.index === current}
                  selected={line.id === selected}
                  readOnly={readOnly}
                  isLast={item.index === lines.length - 1}
                  actions={actions}
                />
              </div>
            );
          })}
        </div>
      </div>
      {!following && current >= 0 && (
        <Button className="jump" size="compact-sm" radius="xl" onClick={() => setFollowing(true)}>
          Jump to current
        </Button>
      )}
    </div>
  );
}
