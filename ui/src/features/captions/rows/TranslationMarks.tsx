import { memo } from "react";
import type { ComponentType } from "react";
import { t } from "../../../platform/messages/editor";
import {
  IconAlertTriangle,
  IconBook,
  IconCheck,
  IconCode,
  IconFlame,
  IconHash,
  IconHelp,
  IconLanguageOff,
  IconRefresh,
  IconSignature,
  IconStack,
} from "../../../platform/theme/icons";
import type { LineFlag } from "../../../domain/translations/types";
import { FLAGS } from "../../../domain/translations/words";
import type { LineSource } from "../../../domain/captions/types";
import { Changed } from "./Changed";
import { useTrackOfRows } from "../lines/trackContext";
import styles from "./beside.module.css";

const ICONS: Record<LineFlag, ComponentType<{ size: number; "aria-hidden": true }>> = {
  too_fast: IconFlame,
  glossary_miss: IconBook,
  number_changed: IconHash,
  name_changed: IconSignature,
  tag_changed: IconCode,
  untranslated: IconLanguageOff,
  unsure: IconHelp,
  fallback: IconStack,
};

interface Props {
  id: string;
  number: number;
  source: LineSource;
  readOnly: boolean;
  /** The source stands beside the line and shows what changed. */
  isBeside: boolean;
}

/** What a reviewer should know about a translated line: why to look at it, and whether its source changed. */
export const TranslationMarks = memo(function TranslationMarks(props: Props) {
  const { id, number, source, readOnly, isBeside } = props;
  const { translation, terms } = useTrackOfRows();
  const { stale, by } = source;
  // The glossary is here: the row itself shows which terms are missing now.
  const flags = source.flags.filter((flag) => flag !== "glossary_miss" || terms === undefined);
  if (flags.length === 0 && !stale) return null;
  const isEmpty = source.now === "";
  return (
    <div className={styles.marks} data-testid="translation-marks">
      {flags.length > 0 && (
        <ul className={styles.marksFlags} aria-label={t("tracks.toCheckIn", { number })}>
          {flags.map((flag) => {
            const Icon = ICONS[flag];
            return (
              <li key={flag} className={styles.flag} title={FLAGS[flag].advice} data-flag={flag}>
                <Icon size={13} aria-hidden />
                {FLAGS[flag].label}
              </li>
            );
          })}
        </ul>
      )}
      {stale && (
        <div className={styles.stale}>
          <span className={styles.staleWords}>
            <IconAlertTriangle size={13} aria-hidden />
            {isEmpty ? t("tracks.originalDeleted") : t("tracks.originalChanged")}
            {by === "person" && t("tracks.byPerson")}
          </span>
          {!isBeside && <Changed old={source.text} now={source.now} language={translation?.from} />}
          {!readOnly && translation !== undefined && (
            <span className={styles.staleTools}>
              <button
                type="button"
                disabled={translation.isBusy || isEmpty}
                aria-label={t("tracks.againLine", { number })}
                onClick={() => translation.translateAgain([id])}
              >
                <IconRefresh size={13} aria-hidden />
                {t("tracks.again")}
              </button>
              <button
                type="button"
                aria-label={t("tracks.rightLine", { number })}
                onClick={() => translation.confirm(id)}
              >
                <IconCheck size={13} aria-hidden />
                {t("tracks.right")}
              </button>
            </span>
          )}
        </div>
      )}
    </div>
  );
});
