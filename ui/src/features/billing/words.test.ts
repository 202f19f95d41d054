import { expect, it } from "vitest";
import type { Plan } from "./types";
import { includes, money, savingOf } from "./words";

const plan: Plan = {
  tier: "producer",
  label: "Producer",
  price_monthly: 4_900,
  price_yearly: 49_000,
  price_minute: 6,
  minutes: 3_000,
  storage_bytes: 1_500e9,
  seats: 3,
};

it.each([
  [1_900, "$19"],
  [1_950, "$19.50"],
  [0, "$0"],
  [-420, "-$4.20"],
  [499_000, "$4,990"],
])("shows %i cents as %s", (cents, text) => expect(money(cents)).toBe(text));

it("says what a plan includes", () =>
  expect(includes(plan)).toEqual(["3,000 minutes a month", "1.5 TB of storage", "3 people"]));

it("knows what a year saves", () => expect(savingOf([plan])).toBe(17));
