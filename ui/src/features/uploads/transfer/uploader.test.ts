// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { eventually } from "../../../platform/eventually.testing";
import { REPORT_EVERY } from "./report";
import { makeUploader, sentenceOf, type Uploader, type UploadFile } from "./uploader";

interface Call {
  method: string;
  path: string;
  body: Record<string, unknown>;
}

let calls: Call[];
let notices: string[];
let files: [string, string][];
let answer: Record<string, unknown>;
let listed: Promise<unknown>;
let uppy: Uploader;
const config = {
  endpoint: "http://localhost/tus/",
  chunk_size: 50_000_000,
  concurrency: 20,
  retry_delays: [100, 1000, 3000, 5000],
  max_uploads: 2,
  max_bytes: 3_000_000,
  max_duration_ms: 14_400_000,
  accepted: ["audio/*", "video/*", ".mkv"],
};

beforeEach(() => {
  calls = [];
  notices = [];
  files = [];
  answer = {};
  listed = Promise.resolve();
  document.cookie = "XSRF-TOKEN=token";
  vi.stubGlobal("fetch", async (request: Request) => {
    const text = await request.text();
    const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    calls.push({ method: request.method, path: new URL(request.url).pathname, body });
    return new Response(JSON.stringify({ data: answer }), { status: 200 });
  });
  uppy = makeUploader(config, {
    detectsSpeakers: () => false,
    language: () => "is-IS",
    onChanged: () => listed,
    onFile: (id, slug) => files.push([id, slug]),
    onNotice: (message) => notices.push(message),
  });
  uppy.setOptions({ autoProceed: false });
});
afterEach(() => {
  uppy.destroy();
  vi.unstubAllGlobals();
});

const add = (name: string, type = "video/mp4"): UploadFile => {
  const id = uppy.addFile({ name, type, data: new Blob(["12345"], { type }), source: "local" });
  uppy.setFileState(id, { tus: { uploadUrl: "http://localhost/tus/1" } });
  return uppy.getFile(id);
};
const told = () => eventually(() => expect(calls.length).toBeGreaterThan(0));
const progress = (file: UploadFile, bytesUploaded: number) =>
  uppy.emit("upload-progress", file, { uploadStarted: 1, bytesUploaded, bytesTotal: 5 });

it("refuses a file beyond the size limit before anything is sent, in the installation's megabytes", () => {
  const data = new Blob([new Uint8Array(3_000_001)]);
  expect(() =>
    uppy.addFile({ name: "big.mp4", type: "video/mp4", data, source: "local" }),
  ).toThrow();
  expect(uppy.getFiles()).toEqual([]);
  expect(notices).toContain("big.mp4 exceeds maximum allowed size of 3.0 MB");
  expect(calls).toEqual([]);
});

describe("what the server is told", () => {
  it("creates the record at the first progress, and tells every twentieth", async () => {
    const file = add("talk.mp4");
    for (let event = 1; event <= 2 * REPORT_EVERY + 5; event += 1) progress(file, event);
    await eventually(() => expect(calls).toHaveLength(3));
    expect(calls[0]).toEqual({
      method: "POST",
      path: "/api/files/upload",
      body: {
        tus_url: "http://localhost/tus/1",
        filename: "talk.mp4",
        filetype: "video/mp4",
        filesize: 5,
        language: "is-IS",
      },
    });
    expect(calls.slice(1).map((call) => call.body)).toEqual(
      [20, 40].map((bytes_uploaded) => ({
        tus_url: "http://localhost/tus/1",
        status: "uploading",
        bytes_uploaded,
      })),
    );
  });

  it("sets a finished upload waiting, and takes it from the list", async () => {
    const file = add("talk.mp4");
    uppy.emit("upload-success", file, { status: 200, uploadURL: "http://localhost/tus/1" });
    await told();
    expect(calls[0]?.body).toMatchObject({ status: "waiting", bytes_uploaded: 5 });
    await eventually(() => expect(uppy.getFiles()).toEqual([]));
    expect(calls.filter((call) => call.body.status === "cancelled")).toEqual([]);
  });

  it("stays until the list knows that it has ended", async () => {
    let know: () => void = () => undefined;
    listed = new Promise<void>((resolve) => (know = resolve));
    const file = add("talk.mp4");
    uppy.emit("upload-success", file, { status: 200, uploadURL: "http://localhost/tus/1" });
    await told();
    await new Promise((resolve) => setTimeout(resolve));
    expect(uppy.getFiles()).toHaveLength(1);
    know();
    await eventually(() => expect(uppy.getFiles()).toEqual([]));
  });

  it("says which file an upload has become, once the server knows", async () => {
    answer = { file_slug: null };
    const first = add("one.mp4");
    uppy.emit("upload-success", first, { status: 200, uploadURL: "http://localhost/tus/1" });
    await eventually(() => expect(uppy.getFiles()).toEqual([]));
    answer = { file_slug: "abc" };
    const second = add("two.mp4");
    uppy.emit("upload-success", second, { status: 200, uploadURL: "http://localhost/tus/1" });
    await eventually(() => expect(files).toEqual([[second.id, "abc"]]));
  });

  it("cancels what is removed before its end", async () => {
    uppy.removeFile(add("talk.mp4").id);
    await told();
    expect(calls[0]?.body).toEqual({ tus_url: "http://localhost/tus/1", status: "cancelled" });
  });

  it("marks an error incomplete, with the message, and says which file failed", async () => {
    const file = add("talk.mp4");
    uppy.emit("upload-error", file, new Error("tus: failed"));
    await eventually(() =>
      expect(calls.some((call) => call.body.status === "incomplete")).toBe(true),
    );
    expect(uppy.getFile(file.id).error).toContain("Everything uploaded so far is safe");
    expect(notices).toEqual(["Failed to upload talk.mp4"]);
  });
});

describe("what is refused", () => {
  it.each<[string, () => void, string]>([
    ["a third file of two", () => ["a", "b", "c"].map((name) => add(`${name}.mp4`)), "2 files"],
    ["the same file twice", () => [add("a.mp4"), add("a.mp4")], "duplicate file 'a.mp4'"],
    ["what is no recording", () => add("a.pdf", "application/pdf"), "You can only upload: audio/*"],
  ])("%s", (_what, act, words) => {
    expect(act).toThrow();
    expect(notices.join(" ")).toContain(words);
  });
});

describe("the sentence of a failed upload", () => {
  it.each([
    [
      "the server's own",
      { responseText: '{"message":"There is no room left."}' },
      "There is no room left.",
    ],
    ["plain text", { responseText: "Too large" }, "Too large"],
    ["a page of some proxy", { responseText: "<html>502</html>" }, "The connection was lost"],
    ["nothing at all", undefined, "The connection was lost"],
  ])("%s", (_what, request, words) => {
    expect(sentenceOf(new Error("tus"), request)).toContain(words);
  });

  it("names the token when that could not be fetched", () => {
    const error = new Error("tus: failed, caused by Error: Unable to fetch upload token, origin");
    expect(sentenceOf(error, undefined)).toBe("Unable to fetch upload token");
  });
});
