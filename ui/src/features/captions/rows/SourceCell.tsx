import { memo } from "react";
import { t } from "../../../platform/messages/editor";
import { clock } from "../../../domain/files/format";
import type { Line, LineSource } from "../../../domain/captions/types";
import { Changed } from "./Changed";
import { WithTerms } from "../terms/WithTerms";
import { useTrackOfRows } from "../lines/trackContext";
import styles from "./beside.module.css";

interface Props {
  number: number;
  sources: readonly Line[];
  /** It translates source lines that stand beside an earlier line. */
  continues: boolean;
  source: LineSource | null | undefined;
}

/** The source of a translated line, read-only: one line, or several that one translated line spans. */
export const SourceCell = memo(function SourceCell(props: Props) {
  const { number, sources, continues, source } = props;
  const from = useTrackOfRows().translation?.from;
  if (sources.length === 0) {
    return (
      <p className={`${styles.sourceNone} quiet`} data-testid="source">
        {continues ? t("tracks.sameOriginal") : t("tracks.noOriginal")}
      </p>
    );
  }
  const stale = source?.stale === true;
  return (
    <div
      className={styles.source}
      role="group"
      aria-label={t("tracks.originalOf", { number })}
      data-testid="source"
      data-stale={stale || undefined}
    >
      {stale ? (
        <Changed old={source.text} now={source.now} language={from} />
      ) : (
        sources.map((line) => (
          <p key={line.id} lang={from} dir="auto">
            {sources.length > 1 && (
              <span className={`${styles.sourceTime} tabular`}>{clock(line.start_ms)} </span>
            )}
            <WithTerms text={line.text} />
          </p>
        ))
      )}
    </div>
  );
});
