import { Button, CloseButton, Tooltip } from "@mantine/core";
import { Suspense, useState } from "react";
import { useSWRConfig } from "swr";
import { t } from "../../../platform/messages/editor";
import { keys } from "../../../platform/api/keys";
import { IconColumns2 } from "../../../platform/theme/icons";
import { languageName, useLanguages } from "../../../domain/languages/languages";
import type { Translation } from "../../../domain/translations/types";
import { useTranslationActions, useTranslations } from "../../../domain/translations/data";
import type { Line } from "../../../domain/captions/types";
import { LanguageMenu } from "./LanguageMenu";
import { TranslationState } from "./TranslationState";
import { useEditor } from "../../editor/context";
import styles from "./tracks.module.css";
import { part } from "../../../platform/failure/Later";

const TranslateDialog = part(() => import("../../translations/TranslateDialog"));

interface Props {
  beside: boolean;
  /** The lines of the original; undefined until they are loaded. */
  sources: readonly Line[] | undefined;
  onChoose: (language: string | undefined) => void;
  onBeside: (beside: boolean) => void;
  /** The dialog that starts a translation is open. */
  translating: boolean;
  onTranslate: () => void;
  onTranslated: () => void;
}

/** The strip below the editor's bar: which language is open, its state, and the way to more languages. */
export function TrackBar(props: Props) {
  const { beside, sources, onChoose, onBeside, translating, onTranslate, onTranslated } = props;
  const { file, editing, chosen: language, mayChange } = useEditor();
  const { label } = useLanguages();
  const { mutate } = useSWRConfig();
  const { data: translations = [], error } = useTranslations(file.slug);
  const actions = useTranslationActions(file.slug);
  const [deleted, setDeleted] = useState<Translation>();
  const open = translations.find((one) => one.language === language);
  const canTranslate = file.transcription_id !== null;

  const remove = async (translation: Translation) => {
    await editing.store.settled();
    if (!(await actions.remove(translation.language))) return;
    // A run that failed before it had lines leaves nothing to bring back.
    if (translation.id !== null) setDeleted(translation);
    onChoose(undefined);
  };
  const restore = async (translation: Translation) => {
    if (!(await actions.restore())) return;
    setDeleted(undefined);
    onChoose(translation.language);
  };

  return (
    <div className={styles.trackBar} data-testid="track-bar">
      <div className={styles.tracks}>
        <LanguageMenu
          original={label(file.language)}
          translations={translations}
          open={open}
          shown={
            open === undefined
              ? label(language ?? file.language)
              : languageName(open.language, open.label)
          }
          canTranslate={canTranslate}
          mayChange={mayChange}
          onChoose={(next) => {
            setDeleted(undefined);
            onChoose(next);
          }}
          onOpened={() => void mutate(keys.translations(file.slug))}
          onTranslate={onTranslate}
          onDelete={(translation) => void remove(translation)}
        />
        {language !== undefined && (
          <Tooltip label={beside ? t("tracks.hideOriginal") : t("tracks.showBeside")}>
            <Button
              size="compact-sm"
              h={30}
              variant={beside ? "light" : "default"}
              aria-pressed={beside}
              aria-label={t("tracks.sideBySide")}
              leftSection={<IconColumns2 size={16} />}
              className={styles.beside}
              onClick={() => onBeside(!beside)}
            >
              {t("tracks.sideBySide")}
            </Button>
          </Tooltip>
        )}
      </div>
      {mayChange && deleted !== undefined && (
        <div className={styles.state} role="status">
          <span>
            {t("tracks.deleted", { language: languageName(deleted.language, deleted.label) })}
          </span>
          <Button size="compact-sm" variant="light" onClick={() => void restore(deleted)}>
            {t("tracks.undo")}
          </Button>
          <CloseButton aria-label={t("tracks.dismiss")} onClick={() => setDeleted(undefined)} />
        </div>
      )}
      {error !== undefined && (
        <span className={styles.failed} role="alert">
          {error.message}
        </span>
      )}
      {open !== undefined && (
        <TranslationState
          translation={open}
          editing={editing}
          mayChange={mayChange}
          actions={actions}
          sources={sources}
        />
      )}
      {open !== undefined && open.notes.length > 0 && <Notes notes={open.notes} />}
      <Suspense fallback={null}>
        {translating && (
          <TranslateDialog
            file={file}
            onClose={onTranslated}
            onStarted={([first]) => first !== undefined && onChoose(first)}
          />
        )}
      </Suspense>
    </div>
  );
}

function Notes({ notes }: { notes: string[] }) {
  return (
    <details className={styles.notes}>
      <summary>{t("tracks.notes", { count: notes.length })}</summary>
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  );
}
