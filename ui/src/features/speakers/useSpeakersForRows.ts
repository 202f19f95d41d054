import { useEffect, useMemo, useRef } from "react";
import { t } from "../../platform/messages/speakers";
import type { Editing } from "../editor/editing";
import { useView } from "../editor/useView";
import { toast } from "../../platform/notices/toast";
import type { SpeakersOfRows } from "./context";
import { NEW_SPEAKER, useSpeakerActions, useSpeakers } from "../../domain/speakers/data";
import { runFrom } from "./runs";

const NOT_SETTLED = t("unsaved");

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
  return useMemo(() => {
    const known = speakers ?? [];
    const assign = async (lines: () => string[], speaker: string | null) => {
      // The server must have the lines that the person sees.
      if (await editing.store.settled()) await actions.assign(lines(), speaker);
      else toast("warning", NOT_SETTLED);
    };
    return {
      speakers: known,
      assign: (line, speaker, withRun) =>
        void assign(() => (withRun ? runFrom(editing.lines(), line) : [line]), speaker),
      rename: async (label, name) => {
        const taken = await actions.rename(label, name);
        if (taken !== null) toast("warning", t("nameTaken", { name }));
        return taken === null;
      },
      recolour: (label, colour) => void actions.recolour(label, colour),
      assignNumber: (lines, number) => {
        const speaker = known[number - 1]?.label ?? NEW_SPEAKER;
        if (lines.length === 0) return;
        if (editing.store.get().captions.source_language !== null)
          toast("warning", t("inOriginal"));
        else if (number > known.length + 1)
          toast("warning", t("noneOfNumber", { count: known.length }));
        else void assign(() => [...lines], speaker);
      },
    };
  }, [actions, editing, speakers]);
}
