import { useState } from "react";

/** Whether the person closed the message `what` in this browser; other messages still show. */
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
