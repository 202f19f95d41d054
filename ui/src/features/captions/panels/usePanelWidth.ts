import { useLocalStorage } from "@mantine/hooks";
import { useCallback } from "react";
import type { PlaceId } from "../../editor/panels/panel";

/** Pixels. */
export const NARROWEST = 280;
export const WIDEST = 640;
const USUAL = 368;

type Widths = Partial<Record<PlaceId, number>>;

/** The width of the panels of a place, which the browser remembers for each place. */
export function usePanelWidth(place: PlaceId): [number, (width: number) => void] {
  const [widths, setWidths] = useLocalStorage<Widths>({
    key: "sagascript.panelWidths",
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const set = useCallback(
    (width: number) => {
      const kept = Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
      setWidths((held) => ({ ...held, [place]: kept }));
    },
    [place, setWidths],
  );
  return [widths[place] ?? USUAL, set];
}
