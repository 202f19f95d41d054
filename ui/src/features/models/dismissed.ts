import { useState } from "react";

/** Whether the person closed the message `what` on this browser; another message shows again. */
export function useDismissed(key: string, what: string): [boolean, () => void] {
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(key));
  return [
    dismissed === what,
    () => {
      localStorage.setItem(key, what);
      setDismissed(what);
    },
  ];
}
