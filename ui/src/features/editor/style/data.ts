/** The caption style of a file, and the presets that it can have. */
import { useCallback, useEffect, useRef } from "react";
import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../../platform/api/client";
import { keys } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/editing";
import { toast } from "../../../platform/notices/toast";

export type CaptionStyle = Required<Schemas["CaptionStyle"]>;
export type FileStyle = Omit<Schemas["FileStyleOut"], "style"> & { style: CaptionStyle };
export type Preset = Omit<Schemas["PresetOut"], "style"> & { style: CaptionStyle };
export type Styles = { presets: Preset[]; fonts: Schemas["FontOut"][] };
export type PresetChange = Schemas["PresetIn"];

const SAVE_AFTER_MS = 400;
const at = (slug: string) => ({ params: { path: { slug } } });

export function useStyles() {
  return useSWR<Styles, Error>(
    keys.captionStyles,
    async () => (await unwrap(api.GET("/api/caption-styles"))).data as Styles,
    { revalidateOnFocus: false },
  );
}

export function useFileStyle(slug: string) {
  return useSWR<FileStyle, Error>(
    keys.fileStyle(slug),
    async () => (await unwrap(api.GET("/api/files/style/{slug}", at(slug)))).data as FileStyle,
    { revalidateOnFocus: false },
  );
}

/** With `keepalive`, the request outlives the page. */
const save = (slug: string, body: Schemas["FileStyleIn"], keepalive: boolean) =>
  unwrap(api.PUT("/api/files/style/{slug}", { ...at(slug), body, keepalive }));

/** Changes a file's style at once on the page, and on the server a moment later or when the page goes. */
export function useStyleChange(slug: string): (next: Omit<FileStyle, "is_own">) => void {
  const { mutate } = useFileStyle(slug);
  const waiting = useRef<{ timer: number; send: (isLast?: boolean) => void }>(undefined);
  useEffect(() => {
    const leave = () => {
      clearTimeout(waiting.current?.timer);
      waiting.current?.send(true);
    };
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, []);
  return useCallback(
    (next) => {
      void mutate({ ...next, is_own: true }, { revalidate: false });
      clearTimeout(waiting.current?.timer);
      const send = (isLast = false) => {
        waiting.current = undefined;
        save(slug, next, isLast).catch((error: Error) => {
          toast("error", t("style.failed", { reason: error.message }));
          void mutate();
        });
      };
      waiting.current = { timer: window.setTimeout(send, SAVE_AFTER_MS), send };
    },
    [mutate, slug],
  );
}

export const addPreset = async (preset: Schemas["NewPreset"]): Promise<Preset> =>
  (await unwrap(api.POST("/api/caption-styles", { body: preset }))).data as Preset;

export async function changePreset(style_id: string, preset: PresetChange): Promise<void> {
  const params = { path: { style_id } };
  await unwrap(api.PUT("/api/caption-styles/{style_id}", { params, body: preset }));
}

export async function removePreset(style_id: string): Promise<void> {
  await unwrap(api.DELETE("/api/caption-styles/{style_id}", { params: { path: { style_id } } }));
}

const BUILT_IN = ["classic", "box", "rows", "film", "shorts", "karaoke"] as const;

/** What a person reads: built-in styles have a name in each language of the pages. */
export function presetName({ id, name, scope }: Pick<Preset, "id" | "name" | "scope">): string {
  const known = BUILT_IN.find((one) => one === id);
  return scope === "built_in" && known !== undefined ? t(`style.${known}`) : name;
}
