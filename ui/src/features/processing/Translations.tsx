import { Button, Progress, Title } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../platform/messages/processing";
import { languageName } from "../../domain/languages/languages";
import { trackPath } from "../../domain/captions/trackPath";
import type { MediaFile } from "../../domain/files/data";
import type { Translation } from "../../domain/translations/types";
import {
  isTranslating,
  useTranslationActions,
  useTranslations,
} from "../../domain/translations/data";
import { percentOf, summaryWords } from "../../domain/translations/words";
import styles from "./processing.module.css";

/** The translations of a file and what each is doing; nothing while there are none. */
export function Translations({ file }: { file: MediaFile }) {
  const { data: translations = [] } = useTranslations(file.slug);
  const actions = useTranslationActions(file.slug);
  if (translations.length === 0) return null;
  return (
    <section
      className={`card ${styles.translations}`}
      aria-label={t("translations")}
      data-testid="translations"
    >
      <Title order={2}>{t("translations")}</Title>
      <ul>
        {translations.map((one) => (
          <li key={one.language} className={styles.translation} data-state={one.state}>
            <Link to={trackPath(file.slug, one.language)}>
              {languageName(one.language, one.label)}
            </Link>
            <span className={styles.translationWords} role="status">
              {one.state === "failed" ? (one.error ?? summaryWords(one)) : summaryWords(one)}
            </span>
            {file.may_change && <Act one={one} actions={actions} />}
            {isTranslating(one) && (
              <Progress
                value={percentOf(one)}
                size={5}
                className={styles.translationBar}
                aria-label={t("translate.progress", {
                  oneLabel: languageName(one.language, one.label),
                  one: percentOf(one),
                })}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ActProps {
  one: Translation;
  actions: ReturnType<typeof useTranslationActions>;
}

function Act({ one, actions }: ActProps) {
  const { language, label, state, formality } = one;
  if (isTranslating(one)) {
    return (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t("translate.cancel", { label })}
        onClick={() => void actions.cancel(language)}
      >
        {t("cancel")}
      </Button>
    );
  }
  if (state === "ready") return null;
  return (
    <Button
      size="compact-sm"
      variant="light"
      aria-label={t("translate.again", { label })}
      onClick={() =>
        void (one.id === null
          ? actions.translate([language], formality)
          : actions.refresh(language))
      }
    >
      {t("tryAgain")}
    </Button>
  );
}
