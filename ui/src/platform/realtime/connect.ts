/** The connection to the user's private channel. */
import Pusher, { type Options } from "pusher-js";
import { callHeaders, type Schemas } from "../api/client";
import { CONNECTION_LOST } from "./connectionWarning";

const UNAVAILABLE_TIMEOUT_MS = 10_000;

export function connect(config: Schemas["RealtimeConfig"]): Pusher {
  return new Pusher(config.key, {
    cluster: config.cluster ?? "",
    ...address(config),
    // A page loaded over https may only connect with TLS.
    forceTLS: config.tls || location.protocol === "https:",
    enableStats: false,
    // The library's oldest fallback would load a script from another site; these are built in.
    enabledTransports: ["ws", "wss", "xhr_streaming", "xhr_polling"],
    activityTimeout: config.activity_timeout_ms,
    pongTimeout: config.pong_timeout_ms,
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
}

/** Hosted Pusher is addressed by its cluster, everything else by its host. */
function address({ host, port, path }: Schemas["RealtimeConfig"]): Partial<Options> {
  if (host === null) return {};
  const at = port ?? undefined;
  return {
    wsHost: host,
    wsPort: at,
    wssPort: at,
    wsPath: path ?? "",
    httpHost: host,
    httpPort: at,
    httpsPort: at,
    httpPath: `${path ?? ""}/pusher`,
  };
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
