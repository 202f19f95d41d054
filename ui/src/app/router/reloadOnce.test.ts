// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from "vitest";
import { reloadOnce } from "./reloadOnce";

beforeEach(() => sessionStorage.clear());

it("reloads a path once within ten seconds", () => {
  const reload = vi.fn();
  expect(reloadOnce("/captions", 100_000, reload)).toBe(true);
  expect(reloadOnce("/captions", 109_999, reload)).toBe(false);
  expect(reloadOnce("/dashboard", 109_999, reload)).toBe(true);
  expect(reloadOnce("/captions", 110_001, reload)).toBe(true);
  expect(reload).toHaveBeenCalledTimes(3);
});
