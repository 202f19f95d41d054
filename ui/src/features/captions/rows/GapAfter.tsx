import { formatLocale } from "../../../platform/i18n/locale";
import { t } from "../../../platform/messages/editing";
import { IconAlertTriangle, IconFlame } from "../../../platform/theme/icons";
import { useClock } from "../../editor/clock";
import styles from "../lines/lines.module.css";

const SECONDS = new Intl.NumberFormat(formatLocale, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
/** For sentences, which name the unit. */
const seconds = (ms: number): string => SECONDS.format(ms / 1000);

interface Props {
  /** When the line ends, and when the one after it starts, in milliseconds. */
  endMs: number;
  nextStart: number | undefined;
  /** The profile's least gap in milliseconds; undefined until it has loaded. */
  leastMs: number | undefined;
}

/** The free time until the next line: quiet while it is long enough, else with an icon and a sentence. */
export function GapAfter({ endMs, nextStart, leastMs }: Props) {
  const clock = useClock();
  if (nextStart === undefined) return null;
  const gap = nextStart - endMs;
  const shown = `↦ ${clock.gap(gap)}`;
  if (leastMs === undefined || gap >= leastMs) {
    return <small title={t("timing.gapTitle")}>{shown}</small>;
  }
  const sentence =
    gap < 0
      ? t("timing.gapOverlap", { seconds: seconds(-gap) })
      : t("timing.gapShort", { seconds: seconds(gap), least: seconds(leastMs) });
  return (
    <small
      className={styles.gapAfter}
      title={sentence}
      data-level={gap < 0 ? "error" : "warn"}
      data-testid="short-gap"
    >
      {gap < 0 ? <IconFlame size={11} aria-hidden /> : <IconAlertTriangle size={11} aria-hidden />}
      <span aria-hidden="true">{shown}</span>
      <span className="visually-hidden">{sentence}</span>
    </small>
  );
}
