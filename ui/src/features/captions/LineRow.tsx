import { ActionIcon, Menu } from "@mantine/core";
import { memo, useEffect, useRef, useState, type KeyboardEvent } from "react";
import type { Edit } from "./data";
import { pace, parseStamp, stamp } from "./times";
import type { Line } from "./types";

export interface RowActions {
  select: (id: string) => void;
  seek: (ms: number) => void;
  change: (edit: Edit) => void;
  addAfter: (id: string) => void;
  mergeNext: (id: string) => void;
  play: (line: Line) => void;
}

interface Props {
  line: Line;
  number: number;
  playing: boolean;
  selected: boolean;
  readOnly: boolean;
  isLast: boolean;
  actions: RowActions;
}

const LEVEL_MARK = { fine: "", warn: "▲ ", error: "■ " };

/** One line: times, text, pace. It keeps its own draft, so typing draws this row alone; leaving it saves. */
export const LineRow = memo(function LineRow(props: Props) {
  const { line, number, playing, selected, readOnly, isLast, actions } = props;
  const [text, setText] = useState(line.text);
  const box = useRef<HTMLTextAreaElement>(null);
  // A change from the server (undo, somebody else's) replaces the draft.
  useEffect(() => setText(line.text), [line.text, line.revision]);
  const { cps, longest, level } = pace(text, line.start_ms, line.end_ms);

  const save = () => {
    if (text !== line.text) actions.change({ action: "Edit", line: line.id, content: text });
  };

  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const at = event.currentTarget.selectionStart;
    const shiftAlt = event.shiftKey && event.altKey;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      actions.change({ action: "Split", line: line.id, content: text, at });
    } else if (event.key === "Escape") {
      setText(line.text);
      event.currentTarget.blur();
    } else if (shiftAlt && event.code === "KeyM") {
      event.preventDefault();
      save();
      actions.mergeNext(line.id);
    } else if (shiftAlt && event.code === "KeyP") {
      event.preventDefault();
      actions.play(line);
    } else if (shiftAlt && event.code === "KeyA") {
      event.preventDefault();
      save();
      actions.addAfter(line.id);
    }
  };

  return (
    <div
      className={`line ${playing ? "line-playing" : ""} ${selected ? "line-selected" : ""}`}
      role="listitem"
      data-testid="caption-line"
      data-line={line.id}
      aria-current={playing ? "true" : undefined}
      onFocus={() => actions.select(line.id)}
    >
      <button
        type="button"
        className="line-number tabular"
        aria-label={`Play from line ${number}`}
        onClick={() => actions.seek(line.start_ms)}
      >
        {number}
      </button>
      <div className="line-times">
        <TimeBox
          label={`Start of line ${number}`}
          ms={line.start_ms}
          readOnly={readOnly}
          onSave={(start) => actions.change({ action: "Edit", line: line.id, start })}
        />
        <TimeBox
          label={`End of line ${number}`}
          ms={line.end_ms}
          readOnly={readOnly}
          onSave={(end) => actions.change({ action: "Edit", line: line.id, end })}
        />
      </div>
      <div className="line-text">
        <textarea
          ref={box}
          value={text}
          rows={Math.max(1, text.split("\n").length)}
          readOnly={readOnly}
          aria-label={`Text of line ${number}`}
          onChange={(event) => setText(event.currentTarget.value)}
          onBlur={save}
          onKeyDown={keys}
        />
        <span className={`line-pace pace-${level} tabular`}>
          {LEVEL_MARK[level]}
          {cps.toFixed(0)} cps · {longest}/42
          {line.doubts.length > 0 && <em title={line.doubts.join(", ")}> · listen again</em>}
        </span>
      </div>
      {!readOnly && (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`Actions for line ${number}`}>
              <span aria-hidden="true">⋯</span>
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => actions.play(line)}>Play this line</Menu.Item>
            <Menu.Item
              onClick={() => {
                const at = box.current?.selectionStart ?? Math.floor(text.length / 2);
                actions.change({ action: "Split", line: line.id, content: text, at });
              }}
            >
              Split at the cursor
            </Menu.Item>
            {!isLast && (
              <Menu.Item onClick={() => actions.mergeNext(line.id)}>Merge with next</Menu.Item>
            )}
            <Menu.Item onClick={() => actions.addAfter(line.id)}>Add a line below</Menu.Item>
            <Menu.Item
              color="red"
              onClick={() => actions.change({ action: "Delete", line: line.id })}
            >
              Delete
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
});

interface TimeProps {
  label: string;
  ms: number;
  readOnly: boolean;
  onSave: (ms: number) => void;
}

function TimeBox({ label, ms, readOnly, onSave }: TimeProps) {
  const [text, setText] = useState(stamp(ms));
  const [wrong, setWrong] = useState(false);
  useEffect(() => {
    setText(stamp(ms));
    setWrong(false);
  }, [ms]);
  const save = () => {
    const value = parseStamp(text);
    setWrong(value === undefined);
    if (value !== undefined && value !== ms) onSave(value);
  };
  return (
    <input
      className="tabular"
      value={text}
      aria-label={label}
      aria-invalid={wrong}
      title={wrong ? "Write the time as hours:minutes:seconds,milliseconds." : undefined}
      readOnly={readOnly}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === "Enter") save();
        if (event.key === "Escape") setText(stamp(ms));
      }}
    />
  );
}
