// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  api,
  ApiError,
  isRefused,
  logError,
  send,
  sentenceOf,
  setActiveTeam,
  unwrap,
  whenSignedOut,
  whenStepUpNeeded,
  whenTeamLost,
} from "./client";
import { eventually } from "../eventually.testing";

let answers: Record<string, { status: number; body?: unknown }>;
let seen: { path: string; method: string; headers: Headers }[];

beforeEach(() => {
  seen = [];
  answers = {};
  document.cookie = "XSRF-TOKEN=; expires=Thu, 01 Jan 1970 00:00:00 GMT";
  vi.stubGlobal("fetch", async (input: Request | string, init?: RequestInit) => {
    const request = new Request(
      new URL(typeof input === "string" ? input : input.url, "http://x"),
      {
        method: typeof input === "string" ? init?.method : input.method,
        headers: typeof input === "string" ? init?.headers : input.headers,
      },
    );
    const path = new URL(request.url).pathname;
    seen.push({ path, method: request.method, headers: request.headers });
    if (path === "/sanctum/csrf-cookie") {
      document.cookie = "XSRF-TOKEN=made%3Dhere";
      return new Response(null, { status: 204 });
    }
    const { status, body } = answers[path] ?? { status: 200, body: { data: [] } };
    if (typeof body === "string")
      return new Response(body, { status, headers: { "Content-Type": "text/html" } });
    return new Response(body === undefined ? null : JSON.stringify(body), { status });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  setActiveTeam(undefined);
});

describe("a call that needs a code", () => {
  const PATH = "/api/keys";
  const refusal = { status: 409, body: { message: "Enter the code.", code: "step_up_needed" } };

  it("is made again once the code is given, and the person is asked once", async () => {
    answers = { [PATH]: refusal, "/api/browse-as": refusal };
    const ask = vi.fn(async () => {
      await Promise.resolve();
      answers = {};
      return true;
    });
    whenStepUpNeeded(ask);
    await Promise.all([send("POST", PATH, { name: "x" }), send("POST", "/api/browse-as")]);
    expect(ask).toHaveBeenCalledTimes(1);
    expect(seen.filter(({ path }) => path === PATH)).toHaveLength(2);
  });

  it("is refused when nobody gives one, and asks at the next call again", async () => {
    answers = { [PATH]: refusal };
    const ask = vi.fn(() => Promise.resolve(false));
    whenStepUpNeeded(ask);
    for (const times of [1, 2]) {
      await expect(send("POST", PATH)).rejects.toThrow("Enter the code.");
      expect(ask).toHaveBeenCalledTimes(times);
    }
  });

  it("asks for nothing after any other conflict", async () => {
    const ask = vi.fn(() => Promise.resolve(true));
    whenStepUpNeeded(ask);
    for (const body of [{ message: "Taken.", code: "taken" }, "<html>", undefined]) {
      answers = { [PATH]: { status: 409, body } };
      await expect(send("POST", PATH)).rejects.toThrow(ApiError);
    }
    expect(ask).not.toHaveBeenCalled();
  });
});

describe("every call", () => {
  it("fetches the anti-forgery token when there is none, for changes alone", async () => {
    await unwrap(api.GET("/api/files"));
    await send("POST", "/api/files/upload/token");
    await send("DELETE", "/api/files/x");
    expect(seen.map(({ path }) => path)).toEqual([
      "/api/files",
      "/sanctum/csrf-cookie",
      "/api/files/upload/token",
      "/api/files/x",
    ]);
    expect(seen[0]?.headers.get("X-XSRF-TOKEN")).toBeNull();
    expect(seen[2]?.headers.get("X-XSRF-TOKEN")).toBe("made=here");
  });

  it("carries the active team", async () => {
    setActiveTeam("team-1");
    await unwrap(api.GET("/api/files"));
    expect(seen[0]?.headers.get("X-Active-Team")).toBe("team-1");
  });
});

describe("what a refused call means", () => {
  it.each([
    [401, true],
    [419, true],
    [403, false],
    [422, false],
    [500, false],
  ])("%d ends the session: %s", async (status, ends) => {
    const signedOut = vi.fn();
    whenSignedOut(signedOut);
    answers["/api/files"] = { status, body: { message: "No." } };
    await expect(unwrap(api.GET("/api/files"))).rejects.toBeInstanceOf(ApiError);
    expect(signedOut).toHaveBeenCalledTimes(ends ? 1 : 0);
  });

  it.each([
    [422, { message: "Wrong." }, "Wrong."],
    [402, { message: "Your plan has no minutes left." }, "Your plan has no minutes left."],
    [403, { message: "Your role is viewer." }, "Your role is viewer."],
    [409, { message: "Changed elsewhere." }, "Changed elsewhere."],
    [500, undefined, "Something went wrong. Try again."],
  ])("%d says", async (status, body, message) => {
    answers["/api/files"] = { status, body };
    await expect(unwrap(api.GET("/api/files"))).rejects.toMatchObject({ status, message });
  });

  it("keeps the sentence of each field", async () => {
    const errors = { email: ["This address is taken."] };
    answers["/api/files"] = { status: 422, body: { message: "Wrong.", errors } };
    await expect(unwrap(api.GET("/api/files"))).rejects.toMatchObject({ fields: errors });
  });

  it("says so when there is no network", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    await expect(unwrap(api.GET("/api/files"))).rejects.toMatchObject({
      status: 0,
      message: "We could not reach the server. Check your connection and try again.",
    });
  });
});

/** The path answers with one status after the other. */
const statuses = (path: string, ...values: number[]) => {
  const before = globalThis.fetch;
  vi.stubGlobal("fetch", async (input: Request | string, init?: RequestInit) => {
    const url = typeof input === "string" ? input : input.url;
    if (url.endsWith(path)) answers[path] = { status: values.shift() ?? 500, body: { data: [] } };
    return before(input, init);
  });
};
const callsTo = (path: string) => seen.filter((call) => call.path === path).length;

describe("a call that failed in passing", () => {
  it.each([408, 409, 425, 429, 500, 502, 503, 504])(
    "with %d is made again once",
    async (status) => {
      statuses("/api/files", status, 200, status, status, 200);
      await unwrap(api.GET("/api/files"));
      expect(callsTo("/api/files")).toBe(2);
      await expect(send("GET", "/api/files")).rejects.toMatchObject({ status });
      expect(callsTo("/api/files")).toBe(4);
    },
  );

  it.each([400, 401, 403, 404, 410, 419, 422])("with %d is not", async (status) => {
    statuses("/api/files", status, 200);
    const error: unknown = await unwrap(api.GET("/api/files")).catch((problem: unknown) => problem);
    expect(error).toMatchObject({ status });
    expect(isRefused(error)).toBe(true);
    expect(callsTo("/api/files")).toBe(1);
  });

  it.each(["POST", "PUT", "PATCH", "DELETE"])("is not when it is a %s", async (method) => {
    statuses("/api/files/x", 503, 200);
    await expect(send(method, "/api/files/x")).rejects.toMatchObject({ status: 503 });
    expect(callsTo("/api/files/x")).toBe(1);
  });
});

describe("the sentence for a failed call", () => {
  const of = (status: number, body?: unknown) => {
    answers["/api/files/x"] = { status, body };
    return send("PUT", "/api/files/x").catch((error: unknown) => sentenceOf(error, "Not saved"));
  };

  it("is the server's, where there is one", async () => {
    expect(await of(422, { message: "Too long." })).toBe("Too long.");
  });

  it.each([
    [502, "<html><h1>Bad Gateway</h1></html>"],
    [500, undefined],
    [500, { message: "" }],
    [500, { detail: "x" }],
  ])("is the caller's for %d with %j", async (status, body) => {
    expect(await of(status, body)).toBe("Not saved");
  });

  it("says that there is no network", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    const error: unknown = await send("PUT", "/api/files/x").catch((problem: unknown) => problem);
    expect(sentenceOf(error, "Not saved")).toContain("We could not reach the server.");
  });

  it("is that of an error of another kind, such as the bank's", () => {
    expect(sentenceOf(new Error("Your card was declined."), "Not saved")).toContain("declined");
    expect(sentenceOf("?", "Not saved")).toBe("Not saved");
  });
});

describe("a stale anti-forgery token", () => {
  const changes = () => seen.filter(({ method }) => method !== "GET").map(({ path }) => path);

  it("is renewed, and the call made again once", async () => {
    document.cookie = "XSRF-TOKEN=stale";
    statuses("/api/files/x", 419, 200);
    await send("DELETE", "/api/files/x");
    expect(seen.map(({ path }) => path)).toEqual([
      "/api/files/x",
      "/sanctum/csrf-cookie",
      "/api/files/x",
    ]);
    expect(seen[2]?.headers.get("X-XSRF-TOKEN")).toBe("made=here");
  });

  it("is no reason to try a third time", async () => {
    statuses("/api/files/x", 419, 419, 200);
    await expect(send("DELETE", "/api/files/x")).rejects.toMatchObject({ status: 419 });
    expect(changes()).toEqual(["/api/files/x", "/api/files/x"]);
  });
});

describe("the server's error log", () => {
  const logged = () => eventually(() => expect(seen.at(-1)?.path).toBe("/api/error/log"));

  it("gets what the server failed to answer", async () => {
    answers["/api/files"] = { status: 500, body: { message: "Wrong." } };
    await expect(unwrap(api.GET("/api/files"))).rejects.toMatchObject({ status: 500 });
    await logged();
  });

  it.each([401, 403, 404, 409, 422])("is not told of %d", async (status) => {
    answers["/api/files"] = { status, body: { message: "No." } };
    await expect(unwrap(api.GET("/api/files"))).rejects.toMatchObject({ status });
    expect(seen.map(({ path }) => path)).not.toContain("/api/error/log");
  });

  it("failing itself ends there", async () => {
    answers["/api/error/log"] = { status: 500, body: { message: "Wrong." } };
    await logError(new Error("x"), "test");
    expect(seen.filter(({ path }) => path === "/api/error/log")).toHaveLength(1);
  });
});

it("a team that was left is told once", async () => {
  const lost = vi.fn();
  whenTeamLost(lost);
  answers["/api/files"] = { status: 422, body: { message: "No.", code: "not_your_team" } };
  await expect(unwrap(api.GET("/api/files"))).rejects.toMatchObject({ code: "not_your_team" });
  expect(lost).toHaveBeenCalledOnce();
});
