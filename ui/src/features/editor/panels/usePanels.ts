import { useLocalStorage, useMediaQuery } from "@mantine/hooks";
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useSearchParams } from "react-router";
import { TOOL } from "../../../domain/captions/trackPath";
import { usePanel } from "./usePanel";
import type { Editing } from "../editing";
import { PANEL_IDS, type PanelId, type PanelParams } from "./panel";

interface OpenPanel {
  id: PanelId;
  params: PanelParams;
  openings: number;
}

export interface Panels {
  /** The open panel; there is one at a time. */
  current: OpenPanel | null;
  open: (id: PanelId, params?: PanelParams) => void;
  toggle: (id: PanelId) => void;
  /** Close the panel and return the focus to where it was opened from, or to the selected line. */
  close: () => void;
}

export const PanelsContext = createContext<Panels>({
  current: null,
  open: () => undefined,
  toggle: () => undefined,
  close: () => undefined,
});

/** The panel beside the lines, and ways to open and close it. */
export const usePanels = (): Panels => useContext(PanelsContext);

/** The state behind `usePanels`. A browser remembers the open panel; a phone, where it would hide the lines, does not. */
export function usePanelsState(editing: Editing): Panels {
  const [remembered, remember] = useLocalStorage<PanelId | null>({
    key: "sagascript.panel",
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const isPhone = useMediaQuery("(max-width: 620px)", false, { getInitialValueInEffect: false });
  const [search, setSearch] = useSearchParams();
  // A link to a tool opens it, also on a phone, and is then forgotten.
  const wanted = search.get(TOOL);
  const [opened, setOpened] = useState((): OpenPanel | null => {
    const linked = PANEL_IDS.find((id) => id === wanted);
    if (linked !== undefined) return { id: linked, params: { go: "next" }, openings: 1 };
    return remembered === null || isPhone ? null : { id: remembered, params: {}, openings: 0 };
  });
  useEffect(() => {
    if (wanted === null) return;
    setSearch(
      (held) => {
        const next = new URLSearchParams(held);
        next.delete(TOOL);
        return next;
      },
      { replace: true },
    );
  }, [wanted, setSearch]);
  const opener = useRef<Element | null>(null);
  const { isOpen: isText, setOpen: setText } = usePanel();

  const open = useCallback(
    (id: PanelId, params: PanelParams = {}) => {
      const { activeElement } = document;
      if (activeElement?.closest("[data-panel]") == null) opener.current = activeElement;
      if (isText) setText(false);
      remember(id);
      setOpened((held) => ({ id, params, openings: (held?.openings ?? 0) + 1 }));
    },
    [isText, remember, setText],
  );
  const close = useCallback(() => {
    setOpened(null);
    remember(null);
    const from = opener.current;
    if (from instanceof HTMLElement && from.isConnected && from !== document.body) from.focus();
    else editing.goTo();
  }, [editing, remember]);
  const shown = isText ? null : opened;
  return useMemo(() => {
    const toggle = (id: PanelId) => (shown?.id === id ? close() : open(id));
    return { current: shown, open, toggle, close };
  }, [close, open, shown]);
}
