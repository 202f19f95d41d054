import { expect, test } from "vitest";
import { contractOf, draftOf, NO_CONTRACT } from "./ContractFields";

test("money is written in dollars and sent in cents", () => {
  const sent = contractOf({ ...NO_CONTRACT, price_monthly: 249.99, price_minutes: "0.07" });
  expect(sent).toEqual({
    price_monthly: 24_999,
    price_minutes: 7,
    max_hours: null,
    max_space: null,
    max_users: null,
  });
});

test("a contract survives the form", () => {
  const contract = {
    price_monthly: 25_000,
    price_minutes: 4,
    max_hours: 100,
    max_space: null,
    max_users: 12,
  };
  expect(contractOf(draftOf(contract))).toEqual(contract);
});
