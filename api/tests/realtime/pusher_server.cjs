// Stock pusher library of npm. Takes {key, secret, appId, host, port, library} as JSON in its first argument, reads one
// JSON array [method, ...arguments] a line and prints what came of each as one JSON line.
const options = JSON.parse(process.argv[2]);
const Pusher = require(options.library);
const { appId, key, secret, host, port } = options;
const pusher = new Pusher({ appId, key, secret, host, port, useTLS: false });

const run = async ([method, ...args]) => {
  const answer = await pusher[method](...args);
  return { status: answer.status, body: await answer.json() };
};
require("readline")
  .createInterface({ input: process.stdin })
  .on("line", async (line) => {
    const told = await run(JSON.parse(line)).catch(({ status, body, message }) => ({ status, body, error: message }));
    console.log(JSON.stringify(told));
  });
