// @vitest-environment jsdom
/** The error catalogue of the specification (section 8): what people read when a proxy answers 502 with HTML, and when all goes well. */
import { notifications, notificationsStore } from "@mantine/notifications";
import { act, renderHook } from "@testing-library/react";
import Uppy from "@uppy/core";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useFileActions } from "../domain/files/data";
import * as account from "../features/account/data";
import * as billing from "../features/billing/data";
import type { BillingConfig } from "../features/billing/types";
import { useBillingActions } from "../features/billing/useBillingActions";
import { uploadToken } from "../features/uploads/transfer/report";
import { sentenceOf } from "../platform/api/client";
import { eventually } from "../platform/eventually.testing";
import { t as layouts } from "../platform/messages/shell";

beforeEach(() => {
  const page = "<html><h1>502 Bad Gateway</h1></html>";
  const headers = { "Content-Type": "text/html" };
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(page, { status: 502, headers })));
});
afterEach(() => {
  notifications.clean();
  vi.unstubAllGlobals();
});

const VIDEO = { slug: "x", kind: "video" } as const;
const SOUND = { slug: "x", kind: "audio" } as const;
type FileActions = ReturnType<typeof useFileActions>;

it.each<[string, (actions: FileActions) => Promise<boolean>]>([
  ["An error occurred while update video data", ({ rename }) => rename(VIDEO, "a")],
  ["An error occurred while update file data", ({ rename }) => rename(SOUND, "a")],
  ["An error occurred while trying to delete your video file", ({ remove }) => remove(VIDEO)],
  ["An error occurred while trying to delete your file", ({ remove }) => remove(SOUND)],
])("a toast says “%s”", async (sentence, attempt) => {
  const { result } = renderHook(useFileActions);
  await act(async () => expect(await attempt(result.current)).toBe(false));
  const shown = () => notificationsStore.getState().notifications.map(({ message }) => message);
  // That the realtime service cannot be reached either may be said beside it.
  await eventually(() => expect(shown()).toContain(sentence));
});

const { FALLBACKS } = billing;
const PREVIEW = { tier: "creator", period: "monthly", due_now: 0, as_of: 0 } as never;
it.each<[string, string, () => Promise<unknown>]>([
  [
    "Unable to update payment method. Please refresh your browser and try again.",
    FALLBACKS.card,
    () => billing.saveCard("pm"),
  ],
  [
    "An error occurred while checking if coupon is valid. Please refresh your browser and try again.",
    FALLBACKS.coupon,
    () => billing.checkCoupon("SALE"),
  ],
  [
    "An error occurred while trying to create a subscription. Please refresh your browser and try again.",
    FALLBACKS.subscribe,
    () => billing.subscribe("creator", "monthly", "seti", null, 0),
  ],
  [
    "Unable to change subscription tier. Please refresh your browser and try again",
    FALLBACKS.change,
    () => billing.changePlan(PREVIEW),
  ],
  [
    "Unable to cancel subscription downgrade. Please refresh your browser and try again",
    FALLBACKS.takeBack,
    () => billing.takeChangeBack(),
  ],
  [
    "Unable to cancel the subscription. Please refresh your browser or contact support",
    FALLBACKS.cancel,
    () => billing.setCancelled(true),
  ],
  [
    "Unable to resume the subscription. Please refresh your browser or contact support",
    FALLBACKS.uncancel,
    () => billing.setCancelled(false),
  ],
])("billing says “%s”", async (sentence, fallback, call) => {
  const { result } = renderHook(() => useBillingActions({} as BillingConfig));
  await act(async () => {
    await result.current.run(call as never, fallback);
  });
  expect(result.current.problem).toBe(sentence);
});

it.each<[string, string, () => Promise<unknown>]>([
  [
    "An error occurred when trying to update user details",
    account.INFO_NOT_SAVED,
    () => account.saveProfile({ name: "a", locale: "en", picture: undefined }),
  ],
  [
    "An error occurred when trying to update user password",
    account.PASSWORD_NOT_SAVED,
    () => account.savePassword({} as never),
  ],
])("settings say “%s”", async (sentence, fallback, call) => {
  const error: unknown = await call().catch((refused: unknown) => refused);
  expect(account.problemOf(error, fallback).message).toBe(sentence);
});

it("an upload without a token says so", async () => {
  await expect(uploadToken()).rejects.toThrow("Unable to fetch upload token");
});

it.each([
  ["User info was successfully updated", account.INFO_SAVED],
  ["Password was successfully updated", account.PASSWORD_SAVED],
  ["Payment method was successfully updated", billing.DONE.card],
  ["Subscription tier was successfully changed", billing.DONE.change],
  [
    "We were unable to connect to the messaging service. You may need to refresh your browser",
    layouts("realtime.disconnected"),
  ],
  ["Page not found: /nowhere", layouts("page.notFoundPath", { path: "/nowhere" })],
])("pages say “%s”", (sentence, text) => {
  expect(text).toBe(sentence);
});

// Nothing here uses Companion, so its failed connection and aborted sign-in cannot happen.
it.each([
  ["Failed to upload a.mp4", "failedToUpload", { file: "a.mp4" }],
  ["No Internet connection", "noInternetConnection", {}],
  ["Connected to the Internet", "connectedToInternet", {}],
  ["Failed to add 3 files due to internal errors", "addBulkFilesFailed", { smart_count: 3 }],
])("the uploader says “%s”", (sentence, name, values) => {
  expect(new Uppy().i18n(name as "failedToUpload", values)).toBe(sentence);
  expect(sentenceOf(new Error(sentence), "")).toBe(sentence);
});
