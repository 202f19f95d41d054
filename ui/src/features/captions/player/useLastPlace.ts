import { useEffect, useRef } from "react";
import type { Editing } from "../../editor/editing";
import { keepPlace, lastPlace } from "./lastPlace";

/** Open a file where the person left it, unless a link names another place; remember the place on leaving. */
export function useLastPlace(slug: string, editing: Editing | undefined, isLinked: boolean): void {
  const linked = useRef(isLinked);
  useEffect(() => {
    if (editing === undefined) return;
    const place = linked.current ? undefined : lastPlace(slug);
    linked.current = true;
    if (place !== undefined) {
      if (editing.find(place.line ?? undefined) !== undefined) editing.select(place.line);
      editing.playback.seek(place.ms);
    }
    const keep = () =>
      keepPlace(slug, {
        line: editing.getFocus().selected,
        ms: Math.round(editing.playback.nowMs),
      });
    window.addEventListener("pagehide", keep);
    return () => {
      window.removeEventListener("pagehide", keep);
      keep();
    };
  }, [slug, editing]);
}
