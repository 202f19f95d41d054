/**
 * Gives the focus back to where a dialog was opened from, when the dialog leaves the page and takes the focus along.
 * Mantine does so only for dialogs that stay in the page after they close, and never to the button of a menu. Returns
 * a function that stops it.
 */
export function returnFocus(): () => void {
  let opener: HTMLElement | undefined;
  let dialog: Element | null = null;
  const watch = new MutationObserver(() => {
    if (dialog === null || dialog.isConnected) return;
    dialog = null;
    watch.disconnect();
    const back = opener;
    // What closed the dialog may put the focus somewhere itself.
    setTimeout(() => {
      const isLost = document.activeElement === document.body;
      if (isLost && back?.isConnected === true) back.focus({ preventScroll: true });
    });
  });
  const arrive = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    const around = target.closest('[role="dialog"]');
    if (around === null) {
      // An entry of a menu is gone by then; its button had the focus before.
      if (target.closest('[role="menu"]') === null) opener = target;
    } else if (around !== dialog) {
      dialog = around;
      const room = around.closest("[data-portal]") ?? around.parentElement;
      if (room !== null) watch.observe(room, { childList: true, subtree: true });
      watch.observe(document.body, { childList: true });
    }
  };
  document.addEventListener("focusin", arrive);
  return () => {
    document.removeEventListener("focusin", arrive);
    watch.disconnect();
  };
}
