import { memo } from "react";
import { t } from "../../../platform/messages/editor";
import { IconPencil, IconRefresh } from "../../../platform/theme/icons";
import { clock } from "../../../domain/files/format";
import type { Editing } from "../../editor/editing";
import type { Line } from "../../../domain/captions/types";
import { useTrackOfRows } from "../lines/trackContext";
import styles from "./beside.module.css";

interface Props {
  source: Line;
  readOnly: boolean;
  editing: Editing;
}

/** A source line that has no translation yet. */
export const GapRow = memo(function GapRow({ source, readOnly, editing }: Props) {
  const { translation } = useTrackOfRows();
  const waits = readOnly || translation?.isBusy === true;
  return (
    <div
      className={styles.gap}
      role="listitem"
      data-testid="gap"
      aria-label={t("tracks.notTranslatedText", { text: source.text })}
    >
      <button
        type="button"
        className={`${styles.gapTime} tabular`}
        aria-label={t("tracks.goTo", { time: clock(source.start_ms) })}
        onClick={() => editing.playback.seek(source.start_ms)}
      >
        {clock(source.start_ms)}
      </button>
      <p className={styles.gapSource} lang={translation?.from} dir="auto">
        {source.text}
      </p>
      <div className={styles.gapTools}>
        {waits ? (
          <span className={styles.gapWaits}>
            <i aria-hidden="true" />
            {t("tracks.waits")}
          </span>
        ) : (
          <>
            <span className="quiet">{t("tracks.notTranslated")}</span>
            <button type="button" onClick={() => translation?.translateAgain([source.id])}>
              <IconRefresh size={13} aria-hidden />
              {t("tracks.translate")}
            </button>
            <button type="button" onClick={() => editing.addAt(source.start_ms, source.end_ms)}>
              <IconPencil size={13} aria-hidden />
              {t("tracks.writeIt")}
            </button>
          </>
        )}
      </div>
    </div>
  );
});
