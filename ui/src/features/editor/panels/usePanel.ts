import { useCallback } from "react";
import { useSearchParams } from "react-router";

const PANEL = "panel";
const AI_TEXT = "text";

/** The address of the captions page with the AI text panel open. */
export const panelAddress = (slug: string): string => `/captions/${slug}?${PANEL}=${AI_TEXT}`;

/** Whether the AI text panel is open. The address says so, so that a link and a reload open it too. */
export function usePanel(): { isOpen: boolean; setOpen: (open: boolean) => void } {
  const [params, setParams] = useSearchParams();
  const setOpen = useCallback(
    (open: boolean) =>
      setParams(
        (held) => {
          const next = new URLSearchParams(held);
          if (open) next.set(PANEL, AI_TEXT);
          else next.delete(PANEL);
          return next;
        },
        { replace: true },
      ),
    [setParams],
  );
  return { isOpen: params.get(PANEL) === AI_TEXT, setOpen };
}
