import { t } from "../../../platform/messages/editing";
import { Changed } from "../rows/Changed";
import { useClock } from "../../editor/clock";
import type { Version } from "./data";
import styles from "./history.module.css";

interface Props {
  change: NonNullable<Version["change"]>;
  /** The number that the line has now; undefined where it is gone. */
  number: number | undefined;
  language: string;
}

/** The first line that a change touched, with its text before and after it. */
export function Change({ change, number, language }: Props) {
  const { show: stamp } = useClock();
  const { lines, start_ms, before, after } = change;
  const time = stamp(start_ms);
  return (
    <div className={styles.change} data-testid="version-change">
      <span className="quiet tabular">
        {number === undefined ? time : t("together.lineAt", { number, time })}
        {lines > 1 && ` · ${t("together.linesMore", { count: lines - 1 })}`}
      </span>
      {before !== after && <Changed old={before ?? ""} now={after ?? ""} language={language} />}
    </div>
  );
}
