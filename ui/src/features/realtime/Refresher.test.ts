import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PROGRESS_EVERY_MS, Refresher } from "./Refresher";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("fetches changes of state at once, and gathers progress", () => {
  const fetched: string[] = [];
  const refresher = new Refresher((key) => fetched.push(key));
  refresher.add(["files"], true);
  expect(fetched).toEqual(["files"]);
  for (let event = 0; event < 20; event += 1) refresher.add(["files", "file/a"], false);
  expect(fetched).toEqual(["files"]);
  vi.advanceTimersByTime(PROGRESS_EVERY_MS);
  expect(fetched).toEqual(["files", "files", "file/a"]);
  refresher.add(["captions/a"], false);
  refresher.add(["file/a"], true);
  expect(fetched.slice(3)).toEqual(["captions/a", "file/a"]);
});

it("fetches nothing once it is stopped", () => {
  const fetched: string[] = [];
  const refresher = new Refresher((key) => fetched.push(key));
  refresher.add(["a"], true);
  refresher.add(["b"], false);
  refresher.stop();
  vi.advanceTimersByTime(PROGRESS_EVERY_MS * 2);
  expect(fetched).toEqual(["a"]);
});
