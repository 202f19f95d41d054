import { useEffect, useState } from "react";
import { t } from "../../../platform/messages/editor";
import { parseStamp, stamp } from "../../../domain/captions/times";
import styles from "../lines/lines.module.css";

const STEP_MS = 100;
const BIG_STEP_MS = 1_000;

interface Props {
  label: string;
  ms: number;
  readOnly: boolean;
  onSave: (ms: number) => void;
}

/** A time one can type, or move with the arrow keys (with Shift by whole seconds). */
export function TimeBox({ label, ms, readOnly, onSave }: Props) {
  const [text, setText] = useState<string>();
  const [wrong, setWrong] = useState(false);
  useEffect(() => {
    setText(undefined);
    setWrong(false);
  }, [ms]);

  const save = () => {
    if (text === undefined) return;
    const value = parseStamp(text);
    setWrong(value === undefined);
    if (value === undefined) return;
    setText(undefined);
    if (value !== ms) onSave(value);
  };

  return (
    <input
      className={`${styles.lineTime} tabular`}
      value={text ?? stamp(ms)}
      aria-label={label}
      aria-invalid={wrong}
      title={wrong ? t("writeTime") : undefined}
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
        const step = event.shiftKey ? BIG_STEP_MS : STEP_MS;
        onSave(Math.max(0, ms + (event.key === "ArrowUp" ? step : -step)));
      }}
    />
  );
}
