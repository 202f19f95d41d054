import { useEffect, useState } from "react";
import { useClock } from "../../editor/clock";
import styles from "../lines/lines.module.css";

interface Props {
  label: string;
  ms: number;
  readOnly: boolean;
  onSave: (ms: number) => void;
}

/** A time one can type, or move with the arrow keys, by a tenth of a second or a frame (with Shift by whole seconds). */
export function TimeBox({ label, ms, readOnly, onSave }: Props) {
  const clock = useClock();
  const [text, setText] = useState<string>();
  const [wrong, setWrong] = useState(false);
  useEffect(() => {
    setText(undefined);
    setWrong(false);
  }, [ms]);

  const save = () => {
    if (text === undefined) return;
    const value = clock.read(text);
    setWrong(value === undefined);
    if (value === undefined) return;
    setText(undefined);
    if (value !== ms) onSave(value);
  };

  return (
    <input
      className={`${styles.lineTime} tabular`}
      value={text ?? clock.show(ms)}
      aria-label={label}
      aria-invalid={wrong}
      title={wrong ? clock.hint : undefined}
      readOnly={readOnly}
      inputMode="numeric"
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === "Enter") save();
        if (event.key === "Escape") {
          setText(undefined);
          setWrong(false);
        }
        if (readOnly || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
        event.preventDefault();
        onSave(clock.stepped(ms, event.key === "ArrowUp" ? 1 : -1, event.shiftKey));
      }}
    />
  );
}
