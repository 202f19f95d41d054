import { memo, useLayoutEffect, useRef } from "react";
import { LineCells, type CellsProps } from "./LineCells";
import styles from "../lines/lines.module.css";

interface Props extends CellsProps {
  /** Lines of the whole list, of which only those in view are in the document. */
  count: number;
  selected: boolean;
  /** Chosen together with others. */
  chosen: boolean;
}

const OWN_CLICKS = "button, input, textarea, select, a, [role=menu], [role=dialog]";

/** One line: the row that can be focused and chosen, around what it shows. */
export const LineRow = memo(function LineRow({ count, selected, chosen, ...cells }: Props) {
  const { line, number, playing, caret, editing, sources } = cells;
  const row = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (caret?.at !== "line") return;
    row.current?.focus({ preventScroll: true });
    editing.caretSet();
  }, [caret, editing]);

  return (
    <div
      ref={row}
      className={styles.line}
      role="listitem"
      aria-posinset={number}
      aria-setsize={count}
      tabIndex={-1}
      data-testid="caption-line"
      data-line={line.id}
      data-playing={playing || undefined}
      data-selected={selected || undefined}
      data-chosen={chosen || undefined}
      data-locked={line.locked || undefined}
      data-beside={sources !== undefined || undefined}
      aria-current={playing ? "true" : undefined}
      onFocus={() => editing.select(line.id)}
      onMouseDown={(event) => {
        if (!event.shiftKey && !event.ctrlKey && !event.metaKey) return;
        // In a text box these mark text.
        if (event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement)
          return;
        event.preventDefault();
        if (event.shiftKey) editing.selectTo(line.id);
        else editing.toggleChosen(line.id);
      }}
      onClick={({ target, shiftKey, ctrlKey, metaKey }) => {
        // What lies in the row has clicks of its own: times stay comparable with the picture.
        const isOwn = target instanceof Element && target.closest(OWN_CLICKS) !== null;
        if (!isOwn && !shiftKey && !ctrlKey && !metaKey) editing.playback.goTo(line.start_ms);
      }}
    >
      <LineCells {...cells} />
    </div>
  );
});
