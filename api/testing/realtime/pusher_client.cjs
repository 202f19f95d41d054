// Stock pusher-js in Node. Takes {key, host, port, channel, cookies, xsrf, library} as JSON in its first argument,
// prints one JSON line for everything that happens, and ends when its standard input does.
const options = JSON.parse(process.argv[2]);
const Pusher = require(options.library);

const tell = (what, value) => console.log(JSON.stringify({ what, value: value ?? null }));

// As an application's server would: with the secret, for the user given.
const sign = ({ socketId, channelName }, callback) => {
  const channel_data = channelName.startsWith("presence-") ? JSON.stringify(options.user) : undefined;
  const text = [socketId, channelName, ...(channel_data ? [channel_data] : [])].join(":");
  callback(null, { auth: `${options.key}:${hmac(text)}`, ...(channel_data && { channel_data }) });
};
const signUser = ({ socketId }, callback) => {
  const user_data = JSON.stringify({ id: options.user.user_id });
  callback(null, { auth: `${options.key}:${hmac(`${socketId}::user::${user_data}`)}`, user_data });
};
const hmac = (text) => require("crypto").createHmac("sha256", options.secret).update(text).digest("hex");

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
  channelAuthorization: { customHandler: options.secret ? sign : authorize },
  userAuthentication: { customHandler: signUser },
  ...(options.more ?? {}),
});
pusher.connection.bind("state_change", ({ current }) => tell("state", current));
pusher.connection.bind("connected", () => tell("transport", pusher.connection.connection?.transport?.name));
pusher.connection.bind("error", (error) => tell("error", error?.error?.data ?? error?.data ?? String(error)));
pusher.connection.bind("message", ({ event }) => tell("message", event));
if (options.channel) {
  const channel = pusher.subscribe(options.channel);
  channel.bind("pusher:subscription_succeeded", () => {
    tell("subscribed");
    if (channel.members) tell("members", { count: channel.members.count, me: channel.members.me, all: channel.members.members });
    for (let n = 0; n < (options.clientEvents ?? 0); n += 1) channel.trigger("client-hello", { n });
  });
  channel.bind("pusher:member_added", (member) => tell("member_added", member));
  channel.bind("pusher:member_removed", (member) => tell("member_removed", member));
  channel.bind("client-hello", (data) => tell("client-hello", data));
  channel.bind("pusher:subscription_error", (error) => tell("subscription_error", error));
  channel.bind("polling.files", (data) => tell("polling.files", data));
}
if (options.signIn) {
  pusher.signin();
  pusher.bind("pusher:signin_success", () => tell("signed_in"));
  pusher.user.bind("news", (data) => tell("news", data));
  pusher.connection.bind("message", ({ event, channel }) => {
    if (event === "pusher_internal:subscription_succeeded" && channel?.startsWith("#")) tell("user_channel");
  });
}
process.stdin.on("end", () => process.exit(0)).resume();
