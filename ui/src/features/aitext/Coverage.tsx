import { t } from "../../platform/messages/aitext";
import { clock } from "../../domain/files/format";
import type { AiText } from "./data";
import type { Listen } from "./SentenceView";
import { coverageWords, percentOf } from "./words";
import styles from "./aitext.module.css";

/** Which minutes of the recording the text cites. The chips in the text are the way to them by keyboard. */
export function Coverage({ text, onListen }: { text: AiText; onListen: Listen }) {
  const { minute_ms, speech_ms, cited_ms } = text.coverage;
  if (text.total_ms === 0) return null;
  return (
    <figure className={styles.coverage}>
      <figcaption>
        {coverageWords(text)}
        <span className="quiet"> {t("coverage.about")}</span>
      </figcaption>
      <div className={styles.minutes} role="img" aria-label={coverageWords(text)}>
        {speech_ms.map((speech, minute) => {
          const share = percentOf(cited_ms[minute] ?? 0, speech);
          const start = minute * minute_ms;
          return (
            <i
              key={minute}
              title={
                speech === 0
                  ? t("coverage.noSpeech", { start: clock(start) })
                  : t("coverage.share", { start: clock(start), share })
              }
              data-silent={speech === 0 || undefined}
              style={{ "--share": `${share}%` } as React.CSSProperties}
              onClick={() => onListen(start, start + minute_ms)}
            />
          );
        })}
      </div>
      <div className={`${styles.minutesEnds} tabular`} aria-hidden="true">
        <span>{clock(0)}</span>
        <span>{clock(speech_ms.length * minute_ms)}</span>
      </div>
    </figure>
  );
}
