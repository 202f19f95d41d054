import { useEffect } from "react";
import { useSWRConfig } from "swr";
import { changingGet } from "../../platform/api/changingGet";
import { api, isWorthLogging, logError } from "../../platform/api/client";
import { isChangedByWork, isPersonal, keys, staleBy } from "../../platform/api/keys";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { checkMissed } from "../../domain/captions/changes";
import { reportPresence } from "../../features/captions/live/presence";
import { onSignOut } from "../../platform/offline/atSignOut";
import { useSession } from "../../domain/person/session";
import { rememberAccount } from "../../platform/offline/account";
import { keepPages } from "../../domain/offline/pageWorker";
import { dropBusyNotices, forgetNotices } from "../../platform/notices/store";
import { Batch } from "../../platform/realtime/Batch";
import { connect } from "../../platform/realtime/connect";
import { hideConnectionWarning, warnOfConnection } from "../../platform/realtime/connectionWarning";
import { EFFECTS, type PollingEvent } from "./events";
import { showEvent } from "./notices";
import { patchFiles } from "./patchFiles";

onSignOut(forgetNotices);

/** The relay's code for a connection that the server ended: this browser was signed out. */
const ENDED = 4009;

/** Progress is shown and what it changed is fetched again at most this often. Changes of state do not wait. */
const SHOW_EVERY_MS = 250;
const REFETCH_EVERY_MS = 1_000;
const isUrgent = ({ action }: PollingEvent): boolean => action !== "Progress";

const OUT_OF_REACH = new Set(["unavailable", "failed"]);

/** Keeps one connection to the user's private channel and turns its events into fresh data and notices. */
export default function RealtimeProvider() {
  const { user } = useSession();
  const userId = user?.id;
  const isOwn = user?.browse_as == null;
  const realtime = usePublicConfig()?.realtime;
  const { cache, mutate } = useSWRConfig();

  useEffect(() => {
    if (userId === undefined || realtime === undefined) return;
    const stale = new Batch<string>(REFETCH_EVERY_MS, (all) => {
      const fetchAgain = () => {
        for (const key of all) if (key !== keys.user) void mutate(staleBy(key));
      };
      // Who somebody is decides what they may fetch: whoever lost a team asks for nothing of it.
      if (all.includes(keys.user)) void mutate(keys.user).finally(fetchAgain);
      else fetchAgain();
    });
    const events = new Batch<PollingEvent>(SHOW_EVERY_MS, (all) => {
      patchFiles({ cache, mutate }, all);
      for (const event of all) {
        stale.add(EFFECTS[event.queue][event.action]?.stale(event) ?? [], isUrgent(event));
        showEvent(event);
      }
    });
    const pusher = connect(realtime);
    pusher.connection.bind("state_change", ({ current }: { current: string }) => {
      if (OUT_OF_REACH.has(current)) warnOfConnection();
      if (current === "connected") hideConnectionWarning();
    });
    pusher.connection.bind("error", ({ data }: { data?: { code?: number } }) => {
      if (data?.code === ENDED) void mutate(keys.user);
    });
    const channel = pusher.subscribe(`private-polling.${userId}`);
    let isFirst = true;
    channel.bind("pusher:subscription_succeeded", () => {
      // Work that ended in the meantime sends no more events; `initiate` sends running work again.
      dropBusyNotices();
      void changingGet((headers) => api.GET("/api/polling/initiate", { headers })).catch(
        logUnlessExpected,
      );
      // Events between the page's first calls and this moment reached nobody, and after a break everything may be old.
      const isOld = (key: unknown) => isChangedByWork(key) && !checkMissed(key);
      void mutate(isFirst ? isOld : isPersonal);
      isFirst = false;
    });
    channel.bind("pusher:subscription_error", warnOfConnection);
    channel.bind("polling.files", (event: PollingEvent) => {
      if (EFFECTS[event.queue]?.[event.action] !== undefined) events.add([event], isUrgent(event));
    });
    channel.bind("captions.presence", reportPresence);
    return () => {
      events.stop();
      stale.stop();
      pusher.disconnect();
      hideConnectionWarning();
    };
  }, [userId, realtime, cache, mutate]);

  // Of an account that an administrator looks into, this browser keeps nothing.
  useEffect(() => {
    if (userId === undefined) return;
    rememberAccount(isOwn ? userId : "");
    if (isOwn) void keepPages();
  }, [userId, isOwn]);

  return null;
}

/** Pages stay as they are until the next event. */
function logUnlessExpected(error: unknown): void {
  if (isWorthLogging(error)) void logError(error, "polling");
}
