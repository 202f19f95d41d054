import { expect, it } from "vitest";
import type { Plan } from "./types";
import { costOf, includes, money, savingOf } from "./words";

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

it.each([
  [1_900, null, "$19 a month"],
  [1_425, null, "$14.25 a month"],
  [1_520, "2027-02-23T10:00:00Z", "$15.20 a month until 23 February 2027, then $19 a month"],
])("shows %i cents until %s as %s", (next_amount, discount_until, text) =>
  expect(costOf({ price: 1_900, next_amount, discount_until, period: "monthly" })).toBe(text),
);

it("knows what a year saves", () => expect(savingOf([plan])).toBe(17));
