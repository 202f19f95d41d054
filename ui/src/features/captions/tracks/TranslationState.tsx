import { Button, Progress } from "@mantine/core";
import { useMemo } from "react";
import { t } from "../../../platform/messages/editor";
import { IconAlertTriangle, IconFlame } from "../../../platform/theme/icons";
import { languageName } from "../../../domain/languages/languages";
import type { Translation } from "../../../domain/translations/types";
import { isTranslating, type TranslationActions } from "../../../domain/translations/data";
import { percentOf, progressWords } from "../../../domain/translations/words";
import { gapCounter } from "../beside/pairs";
import type { Editing } from "../../editor/editing";
import type { Line } from "../../../domain/captions/types";
import { useView } from "../../editor/useView";
import { RefreshButton } from "./RefreshButton";
import styles from "./tracks.module.css";

interface Props {
  translation: Translation;
  editing: Editing;
  mayChange: boolean;
  actions: TranslationActions;
  /** The lines of the original; undefined until they are loaded. */
  sources: readonly Line[] | undefined;
}

const isStale = (line: Line): boolean => line.source?.stale === true;
const isFlagged = (line: Line): boolean => (line.source?.flags.length ?? 0) > 0;

/** What the open translation is doing, or what is left to do in it. */
export function TranslationState(props: Props) {
  const { translation, mayChange, actions } = props;
  const { language, state, error } = translation;
  if (isTranslating(translation)) {
    const words = progressWords(translation);
    const percent = percentOf(translation);
    const name = languageName(language, translation.label);
    return (
      <div className={styles.state} data-testid="translation-state" data-state={state}>
        <span role="status" className="tabular">
          {t("tracks.translatingInto", { language: name, progress: words })}
        </span>
        <Progress
          value={percent}
          size={5}
          className={styles.progress}
          aria-label={t("tracks.translatingAt", { language: name, percent })}
        />
        {mayChange && (
          <Button size="compact-sm" variant="default" onClick={() => void actions.cancel(language)}>
            {t("tracks.cancel")}
          </Button>
        )}
      </div>
    );
  }
  return (
    <div className={styles.state} data-testid="translation-state" data-state={state}>
      {(state === "failed" || state === "cancelled") && (
        <>
          <span role={state === "failed" ? "alert" : "status"} className={styles.failed}>
            {state === "failed" ? (error ?? t("tracks.stopped")) : t("tracks.cancelled")}
          </span>
          {mayChange && (
            <Button
              size="compact-sm"
              variant="light"
              onClick={() =>
                void (translation.id === null
                  ? actions.translate([language], translation.formality)
                  : actions.refresh(language))
              }
            >
              {state === "failed" ? t("tracks.tryAgain") : t("tracks.translateRest")}
            </Button>
          )}
        </>
      )}
      <ToDo {...props} />
    </div>
  );
}

function ToDo({ translation, editing, mayChange, actions, sources }: Props) {
  const { store } = editing;
  const stale = useView(store, (view) => view.captions.lines.filter(isStale).length);
  const edited = useView(
    store,
    (view) =>
      view.captions.lines.filter((line) => isStale(line) && line.source?.by === "person").length,
  );
  const flagged = useView(store, (view) => view.captions.lines.filter(isFlagged).length);
  const locked = useView(store, (view) => view.locked);
  const countGaps = useMemo(() => gapCounter(sources ?? []), [sources]);
  const gaps = useView(store, (view) => countGaps(view.captions.lines));
  return (
    <>
      {stale > 0 && (
        <button
          type="button"
          className={styles.todo}
          title={t("tracks.nextOne")}
          onClick={() => editing.goToNext(isStale)}
        >
          <IconAlertTriangle size={14} aria-hidden="true" />
          {t("tracks.outOfDate", { count: stale })}
        </button>
      )}
      {flagged > 0 && (
        <button
          type="button"
          className={styles.todo}
          title={t("tracks.nextOne")}
          onClick={() => editing.goToNext(isFlagged)}
        >
          <IconFlame size={14} aria-hidden="true" />
          {t("tracks.toCheck", { count: flagged })}
        </button>
      )}
      {mayChange && stale + gaps > 0 && (
        <RefreshButton
          stale={stale}
          edited={edited}
          gaps={gaps}
          disabled={locked}
          onRefresh={async (include_edited) => {
            // Text that is not saved yet would be translated over.
            if (await store.settled())
              await actions.refresh(translation.language, { include_edited });
          }}
        />
      )}
      {stale + flagged + gaps === 0 && translation.state === "ready" && (
        <span className="quiet">{translation.engine}</span>
      )}
    </>
  );
}
