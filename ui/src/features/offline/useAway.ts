import { useEffect, useSyncExternalStore } from "react";
import { useSWRConfig } from "swr";
import { api, unwrap } from "../../platform/api/client";
import { getLost, regain, subscribeLost } from "../../platform/offline/connection";

const LOOK_AGAIN_MS = 5_000;

/** Whether the server cannot be reached. */
export function useAway(): boolean {
  const lost = useSyncExternalStore(subscribeLost, getLost);
  const online = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
  return lost || !online;
}

function subscribeOnline(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** While the server cannot be reached, look every few seconds; once it can, fetch everything anew. */
export function useReturn(onReturn: () => void): void {
  const lost = useSyncExternalStore(subscribeLost, getLost);
  const { mutate } = useSWRConfig();
  useEffect(() => {
    if (!lost) return;
    const look = async () => {
      try {
        await unwrap(api.GET("/api/config"));
      } catch {
        return;
      }
      regain();
      onReturn();
      void mutate(() => true);
    };
    const timer = setInterval(() => void look(), LOOK_AGAIN_MS);
    const online = () => void look();
    window.addEventListener("online", online);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", online);
    };
  }, [lost, mutate, onReturn]);
}
