/** How a person has set up the editor, kept with their account. */
import { useCallback } from "react";
import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { latestConfig } from "../../platform/api/publicConfig";
import { onSignOut } from "../../platform/offline/atSignOut";
import { toast } from "../../platform/notices/toast";

export type EditorSettings = Required<Schemas["EditorSettings"]>;

/** The product's own settings, until a person's are there. The page of captions waits for the configuration that has them. */
export function standardSettings(): EditorSettings {
  const config = latestConfig();
  if (config === undefined) throw new Error("no configuration yet");
  return config.editor_settings as EditorSettings;
}

/** Whether times, also those of files that count frames, begin at the time address of the film's first frame. */
export const countsFromTimecode = ({ clock, from_timecode }: EditorSettings): boolean =>
  clock === "frames" && from_timecode;

const send = async (patch: Partial<EditorSettings>) =>
  // The schema counts what has a standard value as always there; a change leaves out what it does not touch.
  (await unwrap(api.PATCH("/api/user/editor-settings", { body: patch as EditorSettings })))
    .data as EditorSettings;

/** The change before the next one, which is sent once it has ended: the last answer has them all. */
let latest: Promise<unknown> = Promise.resolve();
/** Who changes them; what still waits when they sign out is nobody else's. */
let person = new AbortController();
onSignOut(() => {
  person.abort();
  person = new AbortController();
  latest = Promise.resolve();
});

export interface EditorSettingsControl {
  settings: EditorSettings;
  /** Shows at once, and is saved with the account. */
  change: (patch: Partial<EditorSettings>) => void;
}

export function useEditorSettings(): EditorSettingsControl {
  const { data, mutate } = useSWR(
    keys.editorSettings,
    async () => (await unwrap(api.GET("/api/user/editor-settings"))).data as EditorSettings,
    { revalidateOnFocus: false },
  );
  const settings = data ?? standardSettings();
  const change = useCallback(
    (patch: Partial<EditorSettings>) => {
      const save = () => {
        const { signal } = person;
        const answer = latest.then(() => {
          signal.throwIfAborted();
          return send(patch);
        });
        latest = answer.catch(() => undefined);
        return answer;
      };
      // Over what is shown: an earlier change may still be on its way.
      const optimisticData = (_saved?: EditorSettings, shown = standardSettings()) => ({
        ...shown,
        ...patch,
      });
      void mutate(save, { optimisticData, revalidate: false }).catch((error: Error) => {
        if (error.name !== "AbortError") toast("error", error.message);
      });
    },
    [mutate],
  );
  return { settings, change };
}
