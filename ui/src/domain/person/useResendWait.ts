import { useCallback, useEffect, useState } from "react";

/** Seconds between two mails to the same address. The server refuses sooner ones. */
const WAIT_S = 60;

/** Counts down until another mail may be sent; 0 when it may. */
export function useResendWait(startsWaiting = false): [number, () => void] {
  const [left, setLeft] = useState(startsWaiting ? WAIT_S : 0);
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  return [left, useCallback(() => setLeft(WAIT_S), [])];
}
