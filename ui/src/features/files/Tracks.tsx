import { Link } from "react-router";
import { t } from "../../platform/messages/files";
import { trackPath } from "../../domain/captions/trackPath";
import type { FileTranslation } from "../../domain/translations/types";
import type { MediaFile } from "../../domain/files/data";
import { languageName, useLanguages } from "../../domain/languages/languages";
import styles from "./fileTracks.module.css";

/** More are behind a number, so that a card stays a card. */
const SHOWN = 4;

/** The languages in which a file has captions, each a link to them. Nothing while there is only the original. */
export function Tracks({ file }: { file: MediaFile }) {
  const { label } = useLanguages();
  const { slug, translations } = file;
  if (translations.length === 0) return null;
  const more = translations.length - SHOWN;
  return (
    <ul
      className={styles.tracks}
      aria-label={t("languages.label", { fileName: file.name })}
      data-testid="tracks"
    >
      <li>
        <Link to={trackPath(slug)} className={styles.track}>
          {label(file.language)}
        </Link>
      </li>
      {translations.slice(0, SHOWN).map((one) => (
        <li key={one.language}>
          <Link
            to={trackPath(slug, one.language)}
            className={styles.track}
            data-state={one.state}
            title={wordsOf(one)}
          >
            {languageName(one.language, one.label)}
            {one.stale > 0 && (
              <span
                className={styles.trackStale}
                aria-label={t("languages.stale", { stale: one.stale })}
              >
                {one.stale}
              </span>
            )}
            {one.state !== "ready" && <span className="visually-hidden">, {wordsOf(one)}</span>}
          </Link>
        </li>
      ))}
      {more > 0 && <li className={styles.trackMore}>{t("languages.more", { more })}</li>}
    </ul>
  );
}

function wordsOf({ state, progress, stale }: FileTranslation): string {
  if (state === "running") return t("translating.progressOnly", { progress });
  if (state === "waiting") return t("languages.waiting");
  if (state === "failed") return t("languages.failed");
  if (state === "cancelled") return t("languages.cancelled");
  return stale === 0 ? t("translated") : t("languages.staleLines", { stale });
}
