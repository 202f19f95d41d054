// @vitest-environment jsdom
import "fake-indexeddb/auto";
import { expect, test } from "vitest";
import { lastAccount, rememberAccount, rememberedAccount } from "../../platform/offline/account";
import { handOver, sealAtSessionEnd } from "./handover";

test("whose session ended is known until somebody signs in", async () => {
  rememberAccount("ada");
  await sealAtSessionEnd();
  expect(rememberedAccount()).toBe("");
  expect(lastAccount()).toBe("ada");
  // As after a reload, where there is nobody to forget any more.
  await sealAtSessionEnd();
  expect(lastAccount()).toBe("ada");
  await handOver("bob");
  expect(lastAccount()).toBe("bob");
});
