import { expect, test } from "vitest";
import { minutes, monthsBetween, payment } from "./words";

test("minutes are exact up to an hour", () => {
  expect([0, 45, 60, 270, 3661, -90].map(minutes)).toEqual([
    "0 s",
    "45 s",
    "1 min",
    "4 min 30 s",
    "61 min",
    "−1 min 30 s",
  ]);
});

test("months go back over the turn of the year", () => {
  expect(monthsBetween("2025-11", "2026-02")).toEqual(["2026-02", "2026-01", "2025-12", "2025-11"]);
});

test("a movement names the grant that paid", () => {
  expect(payment({ funding: "grant", source: "top_up" })).toBe("Top-up");
  expect(payment({ funding: "extra", source: null })).toBe("Extra minutes");
});
