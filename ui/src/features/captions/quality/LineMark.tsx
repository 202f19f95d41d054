import { IconAlertTriangle, IconEar, IconFlame } from "../../../platform/theme/icons";
import { t } from "../../../platform/messages/quality";
import { formatLocale } from "../../../platform/i18n/locale";
import type { Editing } from "../../editor/editing";
import type { Line } from "../../../domain/captions/types";
import { filled, textsOf, useRules } from "./data";
import { halfWidths } from "../../../domain/captions/quality/measure";
import { qualityOf } from "../../editor/Quality";
import { findAt } from "../../../domain/captions/quality/rules";
import { paceOf } from "../../../domain/captions/quality/timeRules";
import type { Circumstances, Severity, Texts } from "../../../domain/captions/quality/types";
import styles from "./quality.module.css";

const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
const SPEED = new Intl.NumberFormat(formatLocale, ONE_DECIMAL);

interface Props {
  line: Line;
  /** The text in the box, which may not be saved yet. */
  text: string;
  nextId: string | undefined;
  nextStart: number | undefined;
  about: Circumstances;
  texts: Texts | undefined;
  editing: Editing;
}

const LEVELS = { error: "error", warning: "warn", info: "info" } as const;

/** Reading speed, length and findings of a row: quiet while fine, otherwise with an icon and not by colour alone. */
export function LineMark({ line, text, nextId, nextStart, about, texts, editing }: Props) {
  const following =
    nextId === undefined || nextStart === undefined
      ? undefined
      : { id: nextId, start_ms: nextStart };
  const shown = text === line.text ? line : { ...line, text };
  const found =
    text === line.text
      ? qualityOf(editing.store).at(line, following)
      : findAt(shown, following, about);
  const { limits } = about;
  const pace = paceOf(shown, limits);
  const longest = Math.ceil(
    Math.max(...text.split("\n").map((row) => halfWidths(row, limits.half_width))) / 2,
  );
  const speed = found.find(({ rule }) => rule === "too_fast")?.severity;
  const rows = found.filter(({ rule }) => rule === "row_too_long" || rule === "too_many_rows");
  const others = found.filter((one) => one.rule !== "too_fast" && !rows.includes(one));
  const titleOf = (list: typeof found) =>
    list.map(({ rule }) => texts?.titles[rule] ?? rule).join(". ");
  const worst = (list: typeof found): Severity | undefined =>
    (["error", "warning", "info"] as const).find((one) =>
      list.some(({ severity }) => severity === one),
    );
  return (
    <>
      <span
        className={styles.figure}
        data-level={speed === undefined ? "fine" : LEVELS[speed]}
        title={t("paceTitle", { length: pace.length, allowed: pace.allowed })}
      >
        <Sign severity={speed} label={texts?.titles["too_fast"] ?? ""} />
        {t("pace", { speed: SPEED.format(pace.speed), length: pace.length, allowed: pace.allowed })}
      </span>
      <span
        className={styles.figure}
        data-level={
          LEVELS[worst(rows) ?? "info"] === "info" ? "fine" : LEVELS[worst(rows) ?? "info"]
        }
        title={titleOf(rows)}
      >
        <Sign severity={worst(rows)} label={titleOf(rows)} />
        {longest}/{limits.max_row}
      </span>
      {others.length > 0 && (
        <span
          className={styles.figure}
          data-level={LEVELS[worst(others) ?? "info"]}
          data-testid="line-findings"
          title={others.map(({ rule, values }) => filled(texts?.sentences[rule], values)).join(" ")}
        >
          <Sign severity={worst(others)} label={titleOf(others)} />
          {others.length}
        </span>
      )}
      {line.doubts.length > 0 && (
        <span
          className={styles.figure}
          data-level="warn"
          title={t("listenAgainTo", { doubts: line.doubts.join(", ") })}
        >
          <IconEar size={13} aria-label={t("listenAgain")} />
        </span>
      )}
    </>
  );
}

export function useTexts() {
  const rules = useRules();
  return rules === undefined ? undefined : textsOf(rules);
}

/** The icon of a severity: a flame for errors, a triangle for the rest. */
export function Sign({ severity, label }: { severity: Severity | undefined; label: string }) {
  if (severity === undefined) return null;
  const Icon = severity === "error" ? IconFlame : IconAlertTriangle;
  return <Icon size={12} role="img" aria-label={label} />;
}
