import { useCallback } from "react";
import useSWR, { useSWRConfig } from "swr";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { keys, staleBy } from "../../platform/api/keys";
import { t } from "../../platform/messages/aitext";
import { toast } from "../../platform/notices/toast";

export type AiText = Schemas["AiTextOut"];
export type Block = Schemas["BlockOut"];
export type Sentence = Schemas["SentenceOut"];
export type Cite = Schemas["CiteOut"];
export type TextType = AiText["type"];
export type Version = Schemas["VersionOut"];
export type Options = Schemas["AiTextOptions"];

/** Events update the page. This slow poll is for browsers whose events do not arrive. */
const LOOK_AGAIN_MS = 10_000;

/** Whether a job is going to write the text. */
export const isOpen = ({ state }: Pick<AiText, "state">): boolean =>
  state === "waiting" || state === "running";

export function useAiTexts(slug: string) {
  return useSWR<AiText[], Error>(
    keys.aiTexts(slug),
    async () =>
      (await unwrap(api.GET("/api/files/aitext/{key}", { params: { path: { key: slug } } }))).data,
    { refreshInterval: (texts) => (texts?.some(isOpen) ? LOOK_AGAIN_MS : 0) },
  );
}

/** What can be written about a file now. */
export function useOptions(slug: string) {
  return useSWR<Options, Error>(keys.aiTextOptions(slug), async () => {
    const params = { query: { file: slug } };
    return (await unwrap(api.GET("/api/files/aitext/options", { params }))).data;
  });
}

export function useHistory(id: string) {
  return useSWR<Version[], Error>(keys.aiTextHistory(id), async () => {
    const params = { path: { id } };
    return (await unwrap(api.GET("/api/files/minutes/{id}/history", { params }))).data;
  });
}

export async function fetchVersion(id: string, version: number): Promise<string> {
  const params = { path: { id, version } };
  const call = api.GET("/api/files/minutes/{id}/history/{version}", { params });
  return (await unwrap(call)).data.content;
}

export async function saveText(id: string, content: string, version: number): Promise<AiText> {
  const call = api.PATCH("/api/files/minutes/{id}", {
    params: { path: { id } },
    body: { content, version },
  });
  return (await unwrap(call)).data;
}

export const DOWNLOADS = [
  { format: "docx", label: t("wordDocx") },
  { format: "md", label: t("markdownMd") },
  { format: "txt", label: t("format.plain") },
] as const;

export const downloadUrl = (id: string, format: (typeof DOWNLOADS)[number]["format"]): string =>
  `/api/files/minutes/${id}/download?format=${format}`;

/** The actions on the texts of a file; each shows the server's message when it fails. */
export function useTextActions(slug: string) {
  const { mutate } = useSWRConfig();
  const refresh = useCallback(
    () =>
      Promise.all([
        mutate(keys.aiTexts(slug)),
        mutate(staleBy(keys.files)),
        mutate(keys.file(slug)),
      ]),
    [mutate, slug],
  );
  const attempt = useCallback(
    async (call: () => Promise<unknown>): Promise<boolean> => {
      try {
        await call();
        return true;
      } catch (error) {
        toast("error", (error as Error).message);
        return false;
      } finally {
        await refresh();
      }
    },
    [refresh],
  );
  const at = (id: string) => ({ params: { path: { id } } });
  return {
    refresh,
    write: (types: TextType[], language: string | null) =>
      attempt(() =>
        unwrap(
          api.POST("/api/files/aitext/{key}", {
            params: { path: { key: slug } },
            body: { types, language },
          }),
        ),
      ),
    again: (id: string) => attempt(() => unwrap(api.POST("/api/files/minutes/{id}/again", at(id)))),
    cancel: (id: string) =>
      attempt(() => unwrap(api.POST("/api/files/minutes/{id}/cancel", at(id)))),
    restore: (id: string, version: number) =>
      attempt(async () => {
        await unwrap(api.POST("/api/files/minutes/{id}/restore", { ...at(id), body: { version } }));
        await mutate(keys.aiTextHistory(id));
      }),
    remove: ({ type, language }: Pick<AiText, "type" | "language">) =>
      attempt(() =>
        unwrap(
          api.DELETE("/api/files/aitext/{key}", {
            params: { path: { key: slug }, query: { type, language } },
          }),
        ),
      ),
  };
}
