// @vitest-environment jsdom
import "fake-indexeddb/auto";
import { act, cleanup, render, screen } from "@testing-library/react";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useSession } from "./session";

/** Longer than the page waits before it looks again. */
const SOON_MS = 6_000;

function Name() {
  const { user, error } = useSession();
  return <p>{user?.name ?? error?.message ?? "loading"}</p>;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  document.cookie = `auth=${encodeURIComponent(JSON.stringify({ authenticated: true }))}`;
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a page that could not reach the server looks again by itself", async () => {
  let isThere = false;
  vi.stubGlobal("fetch", () =>
    isThere
      ? Promise.resolve(
          Response.json({ data: { id: "ada", name: "Ada", browse_as: null, teams: [] } }),
        )
      : Promise.reject(new TypeError("Failed to fetch")),
  );
  render(
    <SWRConfig value={{ shouldRetryOnError: false, provider: () => new Map() }}>
      <Name />
    </SWRConfig>,
  );
  expect(await screen.findByText(/could not reach the server/)).toBeTruthy();
  isThere = true;
  await act(() => vi.advanceTimersByTimeAsync(SOON_MS));
  expect(await screen.findByText("Ada")).toBeTruthy();
});
