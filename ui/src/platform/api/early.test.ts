import { afterEach, expect, it, vi } from "vitest";
import { begin, begunOr } from "./early";

afterEach(() => vi.useRealTimers());

it("answers one fetch with the call that has begun, and the next with a new one", async () => {
  void begin("user", () => Promise.resolve("early"));
  const later = () => Promise.resolve("later");
  expect(await begunOr("file", later)).toBe("later");
  expect(await begunOr("user", later)).toBe("early");
  expect(await begunOr("user", later)).toBe("later");
});

it("passes on an error to whoever needs the answer", async () => {
  void begin("user", () => Promise.reject(new Error("away"))).catch(() => undefined);
  await expect(begunOr("user", () => Promise.resolve("later"))).rejects.toThrow("away");
});

it("fetches anew for a page that opens late", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  void begin("user", () => Promise.resolve("early"));
  vi.advanceTimersByTime(60_000);
  expect(await begunOr("user", () => Promise.resolve("later"))).toBe("later");
});
