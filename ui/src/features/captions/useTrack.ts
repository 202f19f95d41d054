import { useMemo } from "react";
import { useSWRConfig } from "swr";
import { saveEdit } from "../../domain/captions/calls";
import { unlessOpen } from "../../domain/captions/changes";
import { newId } from "../../domain/captions/model/commands";
import type { EditorStore } from "../../domain/captions/store/EditorStore";
import { TermIndex } from "../../domain/captions/terms/TermIndex";
import { useGlossary } from "../../domain/glossary/data";
import { keys } from "../../platform/api/keys";
import type { MediaFile } from "../../domain/files/data";
import { toast } from "../../platform/notices/toast";
import {
  isTranslating,
  useTranslationActions,
  useTranslations,
} from "../../domain/translations/data";
import type { Editing } from "../editor/editing";
import type { TrackOfRows } from "./lines/trackContext";

/** The language of the rows, and what can be done to lines of a translation. */
export function useTrack(
  { store }: Editing,
  { slug }: MediaFile,
  { language, chosen, source }: { language: string; chosen: string | undefined; source: string },
): TrackOfRows {
  const actions = useTranslationActions(slug);
  const { mutate } = useSWRConfig();
  const { data: translations } = useTranslations(slug);
  const isBusy =
    translations?.some((one) => one.language === chosen && isTranslating(one)) ?? false;
  const terms = useTerms(source, chosen === undefined ? undefined : language);
  return useMemo(() => {
    if (chosen === undefined) return { language, terms };
    return {
      language,
      terms,
      translation: {
        from: source,
        isBusy,
        translateAgain: (lines) => void actions.refresh(chosen, { lines, include_edited: true }),
        confirm: (id) =>
          void confirmLine(store, slug, id)
            .catch((error: Error) => toast("error", error.message))
            .then(() => mutate(unlessOpen(keys.captions(slug, chosen)))),
      },
    };
  }, [actions, chosen, isBusy, language, mutate, slug, source, store, terms]);
}

/** The terms that matter for captions; undefined until the glossary is here, and while it has none. */
function useTerms(source: string, target: string | undefined): TermIndex | undefined {
  const { data } = useGlossary();
  return useMemo(() => {
    if (data === undefined) return undefined;
    const terms = new TermIndex(data, source, target);
    return terms.isEmpty ? undefined : terms;
  }, [data, source, target]);
}

/**
 * Say that a translated line is right although its source changed. For the server, saving the present text of such a
 * line confirms it. Resolves to false when unsaved changes have to wait.
 */
async function confirmLine(store: EditorStore, slug: string, id: string): Promise<boolean> {
  if (!(await store.settled())) return false;
  const { language, lines, revision } = store.get().captions;
  const line = lines.find((one) => one.id === id);
  if (line === undefined) return false;
  const edit = { action: "Edit", line: id, content: line.text } as const;
  await saveEdit(slug, { ...edit, language, issued: revision, command: newId() });
  return true;
}
