import { useEffect, type RefObject } from "react";

/**
 * Keeps the focus inside `box` when the element that has it is disabled or removed, as a button is that has fixed all
 * there was to fix: the browser then gives it to the page, and the next keys mean something else. `box` needs a tabindex.
 * An element that can be used again gets the focus back, if nothing else took it in between.
 */
export function useFocusGuard(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const frame = box.current;
    if (frame === null) return;
    let last: Element | null = null;
    const isGone = (): boolean => last !== null && (!last.isConnected || last.matches(":disabled"));
    const arrive = ({ target }: FocusEvent) => {
      if (target instanceof Element && target !== frame) last = target;
    };
    const leave = ({ relatedTarget }: FocusEvent) => {
      // Somebody went elsewhere. What is disabled or removed leaves to nowhere.
      if (relatedTarget instanceof Node && relatedTarget !== frame) last = null;
      else if (relatedTarget === null) queueMicrotask(() => isGone() || isFrame() || (last = null));
    };
    const isFrame = (): boolean => document.activeElement === frame;
    const look = () => {
      if (last === null) return;
      const at = document.activeElement;
      if (isGone()) {
        if (at === last || at === document.body) frame.focus({ preventScroll: true });
        if (!last.isConnected) last = null;
      } else if (isFrame() && last instanceof HTMLElement) last.focus({ preventScroll: true });
    };
    const watch = new MutationObserver(look);
    watch.observe(frame, { subtree: true, childList: true, attributeFilter: ["disabled"] });
    frame.addEventListener("focusin", arrive);
    frame.addEventListener("focusout", leave);
    return () => {
      watch.disconnect();
      frame.removeEventListener("focusin", arrive);
      frame.removeEventListener("focusout", leave);
    };
  }, [box]);
}
