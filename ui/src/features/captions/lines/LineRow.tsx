import { memo, type KeyboardEvent } from "react";
import { IconAlertTriangle, IconDots, IconEar, IconFlame } from "../../../theme/icons";
import type { CaretRequest, Editing } from "../editing";
import { useDraft } from "../useEditorStore";
import { pace, type Pace } from "../times";
import type { Line } from "../types";
import { shown } from "../store/state";
import { LineMenu } from "./LineMenu";
import { LineText } from "./LineText";
import { TimeBox } from "./TimeBox";

interface Props {
  line: Line;
  number: number;
  playing: boolean;
  selected: boolean;
  menuOpen: boolean;
  readOnly: boolean;
  caret: CaretRequest | undefined;
  editing: Editing;
}

/** One line. It draws again when its own draft changes, so typing costs one row however long the list is. */
export const LineRow = memo(function LineRow(props: Props) {
  const { line, number, playing, selected, menuOpen, readOnly, caret, editing } = props;
  const draft = useDraft(editing.store, line.id);
  const now = shown(line, draft);
  const retime = (change: { start_ms?: number; end_ms?: number }) => {
    editing.store.draft(line.id, change);
  };

  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    if (event.key === "Escape") {
      editing.store.discard(line.id);
      event.currentTarget.blur();
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const alone = selectionStart === selectionEnd;
    const up = event.key === "ArrowUp" && !value.slice(0, selectionStart).includes("\n");
    const down = event.key === "ArrowDown" && !value.slice(selectionEnd).includes("\n");
    if (alone && (up || down) && editing.step(up ? -1 : 1, "typing")) event.preventDefault();
  };

  return (
    <div
      className="line"
      role="listitem"
      data-testid="caption-line"
      data-line={line.id}
      data-playing={playing || undefined}
      data-selected={selected || undefined}
      aria-current={playing ? "true" : undefined}
      onFocus={() => editing.select(line.id)}
    >
      <button
        type="button"
        className="line-number tabular"
        aria-label={`Go to line ${number}`}
        onClick={() => {
          editing.select(line.id);
          editing.playback.seek(now.start_ms);
        }}
      >
        {number}
      </button>
      <div className="line-times">
        <TimeBox
          label={`Start of line ${number}`}
          ms={now.start_ms}
          readOnly={readOnly}
          onSave={(start_ms) => retime({ start_ms })}
        />
        <TimeBox
          label={`End of line ${number}`}
          ms={now.end_ms}
          readOnly={readOnly}
          onSave={(end_ms) => retime({ end_ms })}
        />
      </div>
      <div className="line-main">
        <LineText
          line={line}
          number={number}
          text={now.text}
          playing={playing}
          readOnly={readOnly}
          playback={editing.playback}
          caret={caret}
          onText={(text) => editing.store.draft(line.id, { text })}
          onBlur={() => editing.store.leave(line.id)}
          onCaretSet={editing.caretSet}
          onKeyDown={keys}
        />
        {draft?.problem !== undefined && (
          <p className="line-problem" role="alert">
            {draft.problem}
          </p>
        )}
      </div>
      <Quality pace={pace(now.text, now.start_ms, now.end_ms)} doubts={line.doubts} />
      {!readOnly &&
        (menuOpen ? (
          <LineMenu line={line} number={number} editing={editing} />
        ) : (
          <button
            type="button"
            className="line-more"
            aria-label={`Actions for line ${number}`}
            aria-haspopup="menu"
            onClick={() => editing.openMenu(line.id)}
          >
            <IconDots size={17} />
          </button>
        ))}
    </div>
  );
});

const WORDS = { fine: "", warn: "Fast to read", error: "Too fast to read" };

/** Reading speed and the longest row: quiet while fine, with a sign and not colour alone when not. */
function Quality({
  pace: { cps, longest, level, tooLong },
  doubts,
}: {
  pace: Pace;
  doubts: string[];
}) {
  const hint = [WORDS[level], tooLong ? "A row is too long" : ""].filter((word) => word !== "");
  return (
    <div className="line-quality tabular">
      <span className={`pace pace-${level}`} title={hint.join(". ")}>
        {level === "warn" && <IconAlertTriangle size={12} aria-label="Fast to read" />}
        {level === "error" && <IconFlame size={12} aria-label="Too fast to read" />}
        {cps.toFixed(0)} cps
      </span>
      <span className={tooLong ? "pace pace-error" : "pace"}>
        {tooLong && <IconAlertTriangle size={12} aria-label="Row too long" />}
        {longest}/42
      </span>
      {doubts.length > 0 && (
        <span className="pace pace-warn" title={`Listen again: ${doubts.join(", ")}`}>
          <IconEar size={13} aria-label="Listen again" />
        </span>
      )}
    </div>
  );
}
