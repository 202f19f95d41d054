import { useEffect } from "react";
import { useSWRConfig } from "swr";
import { api, isWorthLogging, logError, unwrap } from "../../api/client";
import { keys } from "../../api/keys";
import { usePublicConfig } from "../../api/publicConfig";
import { onSignOut, useSession } from "../auth/session";
import type { MediaFile } from "../files/data";
import { forgetNotices, notify, notifyProgress } from "../notifications/store";
import { toast } from "../notifications/toast";
import { connect } from "./connect";
import { EFFECTS, noticeOf, withEvent, type PollingEvent } from "./events";
import { CONNECTION_LOST } from "./messages";
import { Refresher } from "./Refresher";

onSignOut(forgetNotices);

/** Keeps one connection to the user's private channel and turns its events into fresh data and notices. */
export default function RealtimeProvider() {
  const userId = useSession().user?.id;
  const realtime = usePublicConfig()?.realtime;
  const { mutate } = useSWRConfig();

  useEffect(() => {
    if (userId === undefined || realtime === undefined) return;
    const refresher = new Refresher((key) => void mutate(key));
    const pusher = connect(realtime);
    const channel = pusher.subscribe(`private-polling.${userId}`);
    let isFirst = true;
    channel.bind("pusher:subscription_succeeded", () => {
      // The state of all unfinished work is sent again, and pages fetch what a lost connection kept from them.
      void unwrap(api.GET("/api/polling/initiate")).catch(logUnlessExpected);
      if (!isFirst) void mutate((key) => key !== keys.user && key !== keys.config);
      isFirst = false;
    });
    channel.bind("pusher:subscription_error", () => {
      notify({ slug: "realtime", type: "warning", message: CONNECTION_LOST, is_disposable: true });
      toast("warning", CONNECTION_LOST);
    });
    channel.bind("polling.files", (event: PollingEvent) => {
      const effect = EFFECTS[event.queue]?.[event.action];
      if (effect === undefined) return;
      patchFiles(mutate, event);
      refresher.add(effect.stale(event), event.action !== "Progress");
      if (event.action === "Progress") {
        notifyProgress(event.slug, event.child ?? null, event.progress ?? 0);
      }
      tell(event);
    });
    return () => {
      refresher.stop();
      pusher.disconnect();
    };
  }, [userId, realtime, mutate]);

  return null;
}

/** Pages stay as they are until the next event. */
function logUnlessExpected(error: unknown): void {
  if (isWorthLogging(error)) void logError(error, "polling");
}

function patchFiles(mutate: ReturnType<typeof useSWRConfig>["mutate"], event: PollingEvent): void {
  const quietly = { revalidate: false };
  void mutate<MediaFile[]>(
    keys.files,
    (files) => files?.map((file) => withEvent(file, event)),
    quietly,
  );
  void mutate<MediaFile>(keys.file(event.slug), (file) => file && withEvent(file, event), quietly);
}

function tell(event: PollingEvent): void {
  const notice = noticeOf(event);
  if (notice === undefined) return;
  const message = notice.text(event.name ?? "", (event.child ?? "").replace("lang_", ""));
  notify({
    slug: event.slug,
    child: event.child ?? null,
    type: notice.type,
    message,
    name: message.includes(event.name ?? "") ? null : (event.name ?? null),
    is_completed: notice.done ?? false,
    progress: event.progress ?? null,
    route: event.queue === "Tus" ? null : routeOf(event, notice.done === true),
  });
  if (notice.type !== "info") toast(notice.type, message);
}

const routeOf = ({ slug }: PollingEvent, done: boolean): string =>
  done ? `/captions/${slug}` : `/captions/processing/${slug}`;
