/** How a person has set up the editor, kept with their account. */
import { useCallback } from "react";
import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { toast } from "../../platform/notices/toast";

export type EditorSettings = Required<Schemas["EditorSettings"]>;

/** The product's own settings, until a person's are there. The server's are the same (`api/people/account/editor_settings.py`). */
export const STANDARD_SETTINGS: EditorSettings = {
  keys: {},
  single_letters: true,
  pause_while_typing: "off",
  pause_after_ms: 4_000,
  resume_after_ms: 1_500,
  resume_at: "back",
  resume_back_ms: 3_000,
  roll_back_ms: 15_000,
  snap: true,
  cascade: false,
  show_shots: true,
  profile: null,
  panel: null,
};

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
  const settings = data ?? STANDARD_SETTINGS;
  const change = useCallback(
    (patch: Partial<EditorSettings>) => {
      const save = async (held: EditorSettings = STANDARD_SETTINGS) => {
        const body = { ...held, ...patch };
        return (await unwrap(api.PUT("/api/user/editor-settings", { body })))
          .data as EditorSettings;
      };
      const optimisticData = (held: EditorSettings = STANDARD_SETTINGS) => ({ ...held, ...patch });
      void mutate(save, { optimisticData, revalidate: false }).catch((error: Error) =>
        toast("error", error.message),
      );
    },
    [mutate],
  );
  return { settings, change };
}
