/** Double clicks, and double taps where a touch screen sends no double click. */
const TAPS_WITHIN_MS = 300;

export function onTaps(element: HTMLElement, act: (target: EventTarget | null) => void): void {
  let tapped = Number.NEGATIVE_INFINITY;
  let acted = Number.NEGATIVE_INFINITY;
  element.addEventListener("touchend", ({ target, timeStamp }) => {
    if (timeStamp - tapped > TAPS_WITHIN_MS) {
      tapped = timeStamp;
      return;
    }
    tapped = Number.NEGATIVE_INFINITY;
    acted = timeStamp;
    act(target);
  });
  element.addEventListener("dblclick", ({ target, timeStamp }) => {
    if (timeStamp - acted > 2 * TAPS_WITHIN_MS) act(target);
  });
}
