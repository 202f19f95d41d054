import { useEffect, useMemo, useRef } from "react";
import { t } from "../../i18n/en/speakers";
import type { Editing } from "../captions/editing";
import { useView } from "../captions/useEditorStore";
import { toast } from "../notifications/toast";
import type { SpeakersOfRows } from "./context";
import { useSpeakerActions, useSpeakers } from "./data";
import { runFrom } from "./runs";

const NOT_SETTLED = t("yourLastChangesAreNot");

/** The speakers that rows show, and the way to change who speaks a line. */
export function useSpeakersForRows(editing: Editing, slug: string): SpeakersOfRows {
  const actions = useSpeakerActions(slug);
  const { data, mutate } = useSpeakers(slug);
  const speakers = data?.speakers;
  const canRedo = useView(editing.store, (view) => view.captions.can_redo);
  const undone = useView(editing.store, (view) =>
    view.captions.can_redo ? view.captions.revision : 0,
  );
  const first = useRef(true);
  useEffect(() => {
    // Undo and redo may change names, which captions do not carry.
    if (!first.current) void mutate();
    first.current = false;
  }, [canRedo, undone, mutate]);
  return useMemo(
    () => ({
      speakers: speakers ?? [],
      assign: (line, speaker, withRun) => {
        void (async () => {
          // The server must have the lines that the person sees.
          if (!(await editing.store.settled())) {
            toast("warning", NOT_SETTLED);
            return;
          }
          const { lines } = editing.store.get().captions;
          await actions.assign(withRun ? runFrom(lines, line) : [line], speaker);
        })();
      },
    }),
    [actions, editing, speakers],
  );
}
