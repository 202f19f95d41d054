/**
 * The Tab key in the list of lines: it goes through the controls of one line and then on to what follows the list,
 * because five stops in each of 5,000 lines would be a trap. The arrow keys go from line to line.
 */

const STOPS = "a[href], button, input, select, textarea, [tabindex]";

const stopsIn = (row: Element | null | undefined): HTMLElement[] =>
  [...(row?.querySelectorAll<HTMLElement>(STOPS) ?? [])].filter(
    (stop) => stop.tabIndex >= 0 && !stop.matches(":disabled") && stop.checkVisibility(),
  );

/** The row where the Tab key enters: the selected line's, else the first one. */
function entrance(list: Element, selected: string | null): Element | null {
  const row =
    selected === null ? null : list.querySelector(`[data-line="${CSS.escape(selected)}"]`);
  return row?.closest("[data-index]") ?? list.querySelector("[data-index]");
}

/** Where the Tab key goes from `from`: an element, or past the end of the list; undefined where the browser is right. */
export function nextStop(
  list: HTMLElement,
  from: Element,
  backwards: boolean,
  selected: string | null,
): HTMLElement | "end" | undefined {
  if (!list.contains(from)) return undefined;
  const row = from.closest("[data-index]");
  if (row === null) return backwards ? undefined : stopsIn(entrance(list, selected))[0];
  const stops = stopsIn(row);
  const at = stops.findIndex((stop) => stop === from);
  if (backwards) return at <= 0 ? list : undefined;
  return at === stops.length - 1 ? "end" : undefined;
}

/** Where Shift+Tab enters the list from behind. */
export const lastStop = (list: HTMLElement, selected: string | null): HTMLElement | undefined =>
  stopsIn(entrance(list, selected)).at(-1);
