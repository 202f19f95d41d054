import { Button, Menu } from "@mantine/core";
import { t } from "../../../platform/messages/editor";
import {
  IconBook,
  IconCheck,
  IconChevronDown,
  IconLanguage,
  IconTrash,
} from "../../../platform/theme/icons";
import { Link } from "react-router";
import { languageName } from "../../../domain/languages/languages";
import type { Translation } from "../../../domain/translations/types";
import { summaryWords } from "../../../domain/translations/words";
import styles from "./tracks.module.css";

interface Props {
  /** The name of the transcription's language. */
  original: string;
  translations: readonly Translation[];
  /** The open translation; without one the original. */
  open: Translation | undefined;
  /** The name of the language that the page shows. */
  shown: string;
  canTranslate: boolean;
  mayChange: boolean;
  onChoose: (language: string | undefined) => void;
  onOpened: () => void;
  onTranslate: () => void;
  onDelete: (translation: Translation) => void;
}

/** Switch between the languages of a file, with the state of each. */
export function LanguageMenu(props: Props) {
  const { original, translations, open, shown, canTranslate, mayChange } = props;
  const mark = (isOpen: boolean) =>
    isOpen ? <IconCheck size={16} /> : <span className={styles.noMark} />;
  return (
    <Menu position="bottom-start" width={300} onOpen={props.onOpened}>
      <Menu.Target>
        <Button
          size="compact-sm"
          h={30}
          variant="default"
          leftSection={<IconLanguage size={17} />}
          rightSection={<IconChevronDown size={15} />}
          className={styles.language}
          aria-label={t("tracks.language", { language: shown })}
          data-testid="language-switch"
        >
          {shown}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.languages}>
        <Menu.Item
          leftSection={mark(open === undefined)}
          onClick={() => props.onChoose(undefined)}
          aria-current={open === undefined || undefined}
        >
          {original}
          <span className={styles.languageWords}>{t("tracks.original")}</span>
        </Menu.Item>
        {translations.map((one) => (
          <Menu.Item
            key={one.language}
            leftSection={mark(one.language === open?.language)}
            aria-current={one.language === open?.language || undefined}
            onClick={() => props.onChoose(one.language)}
            data-testid="language"
            data-language={one.language}
          >
            {languageName(one.language, one.label)}
            <span className={styles.languageWords} data-state={one.state}>
              {summaryWords(one)}
            </span>
          </Menu.Item>
        ))}
        <Menu.Divider />
        {mayChange && (
          <Menu.Item
            leftSection={<IconLanguage size={16} />}
            disabled={!canTranslate}
            onClick={props.onTranslate}
          >
            {t("tracks.translateMore")}
            {!canTranslate && (
              <span className={styles.languageWords}>{t("tracks.nothingYet")}</span>
            )}
          </Menu.Item>
        )}
        <Menu.Item component={Link} to="/glossary" leftSection={<IconBook size={16} />}>
          {t("tracks.glossary")}
        </Menu.Item>
        {mayChange && open !== undefined && (
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} />}
            onClick={() => props.onDelete(open)}
          >
            {t("tracks.deleteIn", { language: languageName(open.language, open.label) })}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
