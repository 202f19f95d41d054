import { useEffect, useState } from "react";
import type { Editing } from "../../editor/editing";
import { useEditorSettings } from "../../editor/useEditorSettings";
import { TypingPause } from "./TypingPause";

/** Playback pauses or slows while the person types in a line, as their settings say. */
export function useTypingPause(editing: Editing): void {
  const { settings } = useEditorSettings();
  const [pause] = useState(() => new TypingPause(editing.playback));
  useEffect(() => {
    pause.settings = settings;
  }, [pause, settings]);
  useEffect(() => {
    const onInput = ({ target }: Event) => {
      if (!(target instanceof HTMLTextAreaElement)) return;
      const id = target.closest("[data-line]")?.getAttribute("data-line");
      if (id != null) pause.type(editing.find(id));
    };
    window.addEventListener("input", onInput);
    return () => {
      window.removeEventListener("input", onInput);
      pause.stop();
    };
  }, [editing, pause]);
}
