import { useMemo } from "react";
import { useSWRConfig } from "swr";
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
import { confirmLine } from "./stillRight";
import { useTerms } from "./terms/useTerms";

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
            .then(() => mutate(keys.captions(slug, chosen))),
      },
    };
  }, [actions, chosen, isBusy, language, mutate, slug, source, store, terms]);
}
