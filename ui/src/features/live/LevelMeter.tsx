import { t } from "../../platform/messages/live";
import styles from "./live.module.css";

/** Speech at -40 dB is quiet, at 0 dB too loud. */
const QUIETEST_DB = -48;

/** How loud it is now. `level` is from 0 to 1. */
export function LevelMeter({ level }: { level: number }) {
  const decibels = level <= 0 ? QUIETEST_DB : Math.max(QUIETEST_DB, 20 * Math.log10(level));
  const share = Math.round((1 - decibels / QUIETEST_DB) * 100);
  return (
    <span
      className={styles.level}
      role="meter"
      aria-label={t("level")}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share}
      data-testid="level"
    >
      <i style={{ transform: `scaleX(${share / 100})` }} />
    </span>
  );
}
