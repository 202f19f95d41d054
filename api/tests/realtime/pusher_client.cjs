// Stock pusher-js in Node. Takes {key, host, port, channel, cookies, xsrf, library} as JSON in its first argument,
// prints one JSON line for everything that happens, and ends when its standard input does.
const options = JSON.parse(process.argv[2]);
const Pusher = require(options.library);

const tell = (what, value) => console.log(JSON.stringify({ what, value: value ?? null }));

const authorize = async ({ socketId, channelName }, callback) => {
  const answer = await fetch(`http://${options.host}:${options.port}/api/broadcasting/auth`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Cookie: options.cookies, "X-XSRF-TOKEN": options.xsrf },
    body: JSON.stringify({ socket_id: socketId, channel_name: channelName }),
  });
  if (!answer.ok) return callback(new Error(`status ${answer.status}`), null);
  callback(null, options.forge ? { auth: `${options.key}:forged` } : await answer.json());
};

const pusher = new Pusher(options.key, {
  cluster: "",
  wsHost: options.host,
  wsPort: options.port,
  httpHost: options.host,
  httpPort: options.port,
  forceTLS: false,
  enabledTransports: ["ws"],
  disableStats: true,
  channelAuthorization: { customHandler: authorize },
  ...(options.more ?? {}),
});
pusher.connection.bind("state_change", ({ current }) => tell("state", current));
pusher.connection.bind("connected", () => tell("transport", pusher.connection.connection?.transport?.name));
pusher.connection.bind("error", (error) => tell("error", error?.error?.data ?? String(error)));
pusher.connection.bind("message", ({ event }) => tell("message", event));
if (options.channel) {
  const channel = pusher.subscribe(options.channel);
  channel.bind("pusher:subscription_succeeded", () => tell("subscribed"));
  channel.bind("pusher:subscription_error", (error) => tell("subscription_error", error));
  channel.bind("polling.files", (data) => tell("polling.files", data));
}
process.stdin.on("end", () => process.exit(0)).resume();
