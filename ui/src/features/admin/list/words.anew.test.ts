import { expect, test } from "vitest";
import type { Schemas } from "../../../platform/api/client";
import { adoptConfig } from "../../../platform/api/publicConfig";
import { bytes, countedUpTo, duration, money } from "./words";
import { listUrl } from "./useAdminList";

test("numbers read as people write them", () => {
  adoptConfig({ count_limits: { counted: 10_000 } } as Schemas["PublicConfig"]);
  const name = (count: number) => `${count.toLocaleString("en")} entries`;
  expect(countedUpTo(9_999, name)).toBe("9,999 entries");
  expect(countedUpTo(10_001, name)).toBe("More than 10,000 entries");
  expect(money(1900)).toBe("$19.00");
  expect([bytes(0), bytes(999), bytes(1_500_000), bytes(20_000_000_000)]).toEqual([
    "0 B",
    "999 B",
    "1.5 MB",
    "20 GB",
  ]);
  expect([duration(59), duration(3_600), duration(12_000)]).toEqual([
    "1 min",
    "1 h 0 min",
    "3 h 20 min",
  ]);
});

test("an address leaves out what is empty", () => {
  expect(listUrl("/api/admin/users", { q: "", plan: ["none", "creator"], page: undefined })).toBe(
    "/api/admin/users?plan=none&plan=creator",
  );
  expect(listUrl("/api/admin/users", { q: "" })).toBe("/api/admin/users");
});
