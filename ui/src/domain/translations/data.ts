/** The translations of a file, the languages it can be translated into, and the actions on them. */
import { useMemo } from "react";
import useSWR, { useSWRConfig } from "swr";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { keys, staleBy } from "../../platform/api/keys";
import { toast } from "../../platform/notices/toast";
import type { Formality, TargetLanguage, Translation } from "./types";

/** Events update the page. This slow poll is for browsers whose events do not arrive. */
const LOOK_AGAIN_MS = 10_000;

export const isTranslating = ({ state }: Pick<Translation, "state">): boolean =>
  state === "waiting" || state === "running";

const at = (slug: string) => ({ params: { path: { key: slug } } });

export function useTranslations(slug: string) {
  return useSWR<Translation[], Error>(
    keys.translations(slug),
    async () => (await unwrap(api.GET("/api/files/captions/{key}/translations", at(slug)))).data,
    { refreshInterval: (list) => (list?.some(isTranslating) ? LOOK_AGAIN_MS : 0) },
  );
}

/** The languages that the loaded model translates `from` into, and why others are not available. */
export function useTargets(from: string) {
  return useSWR<TargetLanguage[], Error>(keys.targets(from), async () => {
    const params = { query: { from } };
    return (await unwrap(api.GET("/api/translation/languages", { params }))).data;
  });
}

type Model = Schemas["ModelOut"];

/** What the installation can do for translation, and how well; undefined until it is known. */
export function useTranslationModel(): Model | undefined {
  const { data } = useSWR<Model | undefined, Error>(keys.model("translation"), async () =>
    (await unwrap(api.GET("/api/models"))).data.find(({ task }) => task === "translation"),
  );
  return data;
}

export type Refresh = Partial<Schemas["RefreshIn"]>;

export interface TranslationActions {
  translate: (languages: string[], formality: Formality) => Promise<boolean>;
  refresh: (language: string, what?: Refresh) => Promise<boolean>;
  cancel: (language: string) => Promise<boolean>;
  remove: (language: string) => Promise<boolean>;
  restore: () => Promise<boolean>;
}

/** The actions on a file's translations; each shows the server's sentence when it fails, and returns whether it worked. */
export function useTranslationActions(slug: string): TranslationActions {
  const { mutate } = useSWRConfig();
  return useMemo(() => {
    const attempt = async (call: Promise<unknown>) => {
      try {
        await call;
        return true;
      } catch (error) {
        toast("error", (error as Error).message);
        return false;
      } finally {
        const stale = [keys.translations(slug), keys.translatedCaptions(slug), keys.file(slug)];
        await Promise.all([...stale, keys.files].map((key) => mutate(staleBy(key))));
      }
    };
    const one = (language: string) => ({ params: { path: { key: slug, language } } });
    const root = "/api/files/captions/{key}" as const;
    return {
      translate: (languages, formality) =>
        attempt(
          unwrap(api.POST(`${root}/translate`, { ...at(slug), body: { languages, formality } })),
        ),
      refresh: (language, what = {}) =>
        attempt(
          unwrap(
            api.POST(`${root}/translations/{language}/refresh`, {
              ...one(language),
              body: { include_edited: false, ...what },
            }),
          ),
        ),
      cancel: (language) =>
        attempt(unwrap(api.POST(`${root}/translations/{language}/cancel`, one(language)))),
      remove: (language) =>
        attempt(
          unwrap(
            api.DELETE(`${root}/translations`, {
              params: { path: { key: slug }, query: { language } },
            }),
          ),
        ),
      restore: () => attempt(unwrap(api.POST(`${root}/translations/restore`, at(slug)))),
    };
  }, [slug, mutate]);
}
