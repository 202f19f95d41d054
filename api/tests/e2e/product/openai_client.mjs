// OpenAI's client for Node: every answer that a program may ask for, as one line of JSON.
// Needs OPENAI_API_KEY, OPENAI_BASE_URL and the path of a film.
import { createReadStream } from "node:fs";
import { createRequire } from "node:module";

const OpenAI = createRequire(new URL("../../../../ui/package.json", import.meta.url))("openai").default;

const film = process.argv[2];
const client = new OpenAI({ maxRetries: 0 });
const ask = (more) =>
  client.audio.transcriptions.create({ file: createReadStream(film), model: "whisper-1", ...more });

const models = [];
for await (const model of client.models.list()) models.push(model.id);
const verbose = await ask({
  response_format: "verbose_json",
  timestamp_granularities: ["word", "segment"],
});
const events = [];
for await (const event of await ask({ stream: true })) events.push(event);
const refusal = await ask({ language: "klingon" }).catch((error) => ({
  status: error.status,
  name: error.constructor.name,
  message: error.message,
}));

console.log(
  JSON.stringify({
    models,
    plain: await ask({ language: "en", temperature: 0, prompt: "Bottles." }),
    text: await ask({ response_format: "text" }),
    srt: await ask({ response_format: "srt" }),
    vtt: await ask({ response_format: "vtt" }),
    logprobs: await ask({ include: ["logprobs"] }),
    verbose,
    events,
    refusal,
  }),
);
