import { t } from "../../platform/messages/shell";
import styles from "./auth.module.css";
/** A sentence being transcribed: its words appear as the playhead crosses the waveform. Decorative, in CSS only. */
const HEIGHTS = [
  14, 22, 38, 64, 41, 78, 95, 60, 34, 12, 8, 26, 52, 88, 70, 45, 30, 58, 82, 66, 40, 10, 6, 20, 48,
  72, 54, 33, 61, 84, 50, 24, 9, 18, 44, 68, 90, 57, 36, 15,
];

const LINES = [
  { language: t("page.icelandic"), words: "Vindurinn hættir aldrei alveg hér." },
  { language: t("page.english"), words: "The wind never really stops here." },
  { language: t("page.spanish"), words: "Aquí el viento nunca para del todo." },
];

export function AuthStory() {
  return (
    <aside className={styles.authStory} aria-hidden="true">
      <div className={styles.storyScreen}>
        <div className={styles.storyWave}>
          {HEIGHTS.map((height, index) => (
            <span
              key={index}
              style={{ height: `${height}%`, animationDelay: `${(index * 6) / HEIGHTS.length}s` }}
            />
          ))}
          <i />
        </div>
        <div className={styles.storyLines}>
          {LINES.map((line, index) => (
            <p key={line.language} style={{ animationDelay: `${index * 0.35}s` }}>
              <em>{line.language}</em>
              {line.words}
            </p>
          ))}
        </div>
      </div>
      <p className={styles.storyTitle}>{t("page.motto")}</p>
    </aside>
  );
}
