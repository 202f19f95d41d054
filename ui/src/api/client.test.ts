// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { api, ApiError, send, setActiveTeam, unwrap, whenSignedOut } from "./client";

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
    return new Response(body === undefined ? null : JSON.stringify(body), { status });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  setActiveTeam(undefined);
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
    [403, { message: "Wrong." }, "You dont have enough permission to access this route."],
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
      message: "We cannot reach the server. Check your connection and try again.",
    });
  });
});
