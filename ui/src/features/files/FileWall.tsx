import { useElementSize } from "@mantine/hooks";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";
import { t } from "../../platform/messages/files";
import {
  PER_PAGE,
  useFiles,
  type FilePage,
  type FileQuery,
  type MediaFile,
} from "../../domain/files/data";
import { FileCard } from "./FileCard";
import styles from "./files.module.css";

/** The measures of `files.module.css`. */
const CARD_WIDTH = 290;
const GAP = 18;
/** What a card has below its picture, in most cases. Rows are measured once they are rendered. */
const WORDS_HEIGHT = 112;
const MOST_COLUMNS = 6;

interface Props {
  query: FileQuery;
  first: FilePage;
}

/** Any number of files as one long list. Only the rows in view are rendered, and only their pages are fetched. */
export function FileWall({ query, first }: Props) {
  const { total } = first.meta;
  const { ref: size, width } = useElementSize();
  const wall = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // A page holds whole rows only where its length is a multiple of them.
  const columns = fitting(width);
  const rows = useWindowVirtualizer({
    count: width === 0 ? 0 : Math.ceil(total / columns),
    estimateSize: () => ((width - GAP * (columns - 1)) / columns) * (9 / 16) + WORDS_HEIGHT + GAP,
    overscan: 2,
    scrollMargin: top,
  });
  useLayoutEffect(() => {
    const place = () => {
      const box = wall.current?.getBoundingClientRect();
      if (box !== undefined) setTop(box.top + window.scrollY);
    };
    place();
    rows.measure();
    // Uploads and notices come and go above the list.
    const above = new ResizeObserver(place);
    above.observe(document.body);
    return () => above.disconnect();
  }, [columns, width, rows]);

  return (
    <div ref={size}>
      <div
        ref={wall}
        role="list"
        aria-label={t("files")}
        className={styles.wall}
        style={{ height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map(({ index, start, key }) => (
          <div
            key={key}
            ref={rows.measureElement}
            data-index={index}
            role="presentation"
            className={styles.wallRow}
            style={{
              transform: `translateY(${start - top}px)`,
              gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            }}
          >
            <Row query={query} from={index * columns} to={Math.min(total, (index + 1) * columns)} />
          </div>
        ))}
      </div>
    </div>
  );
}

function fitting(width: number): number {
  const most = Math.floor((width + GAP) / (CARD_WIDTH + GAP));
  return Math.max(1, Math.min(MOST_COLUMNS, most));
}

function Row({ query, from, to }: { query: FileQuery; from: number; to: number }) {
  const page = Math.floor(from / PER_PAGE) + 1;
  const { data } = useFiles({ ...query, page });
  const files: (MediaFile | undefined)[] = Array.from(
    { length: to - from },
    (_, index) => data?.data[(from % PER_PAGE) + index],
  );
  return files.map((file, index) =>
    file === undefined ? (
      <div key={index} className={`skeleton ${styles.wallWait}`} aria-hidden="true" />
    ) : (
      <FileCard key={file.id} file={file} />
    ),
  );
}
