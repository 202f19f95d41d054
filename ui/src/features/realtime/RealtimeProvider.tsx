import Pusher from "pusher-js";
import { useEffect } from "react";
import { useSWRConfig } from "swr";
import { callHeaders } from "../../api/client";
import { keys } from "../../api/keys";
import { usePublicConfig } from "../../api/publicConfig";
import { useSession } from "../auth/session";
import { notify, notifyProgress } from "../notifications/store";
import { EFFECTS, type PollingEvent } from "./events";
import { CONNECTION_LOST } from "./messages";

const ACTIVITY_TIMEOUT_MS = 120_000;
const PONG_TIMEOUT_MS = 30_000;
const UNAVAILABLE_TIMEOUT_MS = 10_000;

/** Keeps one connection to the user's private channel and turns its events into fresh data and notices. */
export default function RealtimeProvider() {
  const { user } = useSession();
  const config = usePublicConfig();
  const { mutate } = useSWRConfig();
  const userId = user?.id;

  useEffect(() => {
    if (userId === undefined || config === undefined) return;
    const { key, host, port, path, tls } = config.realtime;
    const pusher = new Pusher(key, {
      cluster: "",
      wsHost: host,
      wsPort: port,
      wssPort: port,
      wsPath: path,
      httpHost: host,
      httpPort: port,
      httpsPort: port,
      forceTLS: tls,
      enableStats: false,
      enabledTransports: tls
        ? ["wss", "xhr_streaming", "xhr_polling"]
        : ["ws", "xhr_streaming", "xhr_polling"],
      activityTimeout: ACTIVITY_TIMEOUT_MS,
      pongTimeout: PONG_TIMEOUT_MS,
      unavailableTimeout: UNAVAILABLE_TIMEOUT_MS,
      channelAuthorization: {
        endpoint: "/api/broadcasting/auth",
        transport: "ajax",
        customHandler: ({ socketId, channelName }, callback) => {
          void authorize(socketId, channelName).then(
            (auth) => callback(null, auth),
            (error: unknown) => callback(error as Error, null),
          );
        },
      },
    });
    const channel = pusher.subscribe(`private-polling.${userId}`);
    channel.bind("pusher:subscription_succeeded", () => {
      void fetch("/api/polling/initiate", { credentials: "same-origin" });
      void mutate((held) => held !== keys.user && held !== keys.config);
    });
    channel.bind("pusher:subscription_error", () =>
      notify({ slug: "realtime", type: "warning", message: CONNECTION_LOST, is_disposable: true }),
    );
    channel.bind("polling.files", (event: PollingEvent) => {
      const effect = EFFECTS[event.queue]?.[event.action];
      for (const stale of effect?.stale(event) ?? []) void mutate(stale);
      if (event.action === "Progress")
        notifyProgress(event.slug, event.child ?? null, event.progress ?? 0);
      if (effect?.notice === undefined) return;
      const language = (event.child ?? "").replace("lang_", "");
      notify({
        slug: event.slug,
        child: event.child ?? null,
        type: effect.notice.type,
        message: effect.notice.text(event.name ?? "", language),
        is_completed: effect.notice.done ?? false,
        progress: event.progress ?? null,
        route: event.queue === "Tus" ? null : `/captions/${event.slug}`,
      });
    });
    return () => pusher.disconnect();
  }, [userId, config, mutate]);

  return null;
}

async function authorize(socket_id: string, channel_name: string): Promise<{ auth: string }> {
  const answer = await fetch("/api/broadcasting/auth", {
    method: "POST",
    credentials: "same-origin",
    headers: { ...(await callHeaders("POST")), "Content-Type": "application/json" },
    body: JSON.stringify({ socket_id, channel_name }),
  });
  if (!answer.ok) throw new Error(CONNECTION_LOST);
  return (await answer.json()) as { auth: string };
}
