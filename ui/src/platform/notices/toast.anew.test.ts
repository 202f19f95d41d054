// @vitest-environment jsdom
import { notifications, notificationsStore } from "@mantine/notifications";
import { renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { eventually } from "../eventually.testing";
import { usePublicConfig } from "../api/publicConfig";
import { toast } from "./toast";

afterEach(() => {
  notifications.clean();
  vi.unstubAllGlobals();
});

const all = () => {
  const { notifications: shown, queue } = notificationsStore.getState();
  return [...shown, ...queue];
};

it("lives as long as the server says, and can be closed", async () => {
  const config = { data: { toast_ms: 3210 } };
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(config))));
  const { result } = renderHook(usePublicConfig);
  await eventually(() => expect(result.current).toBeDefined());
  toast("error", "It broke.");
  await eventually(() => expect(all()).toHaveLength(1));
  expect(all()[0]).toMatchObject({
    autoClose: 3210,
    role: "alert",
    closeButtonProps: { "aria-label": "Close this message" },
  });
});

it("shows the same words once, and keeps few waiting", async () => {
  for (let index = 0; index < 20; index += 1) toast("error", "It broke.");
  for (let index = 0; index < 20; index += 1) toast("error", `File ${index} broke.`);
  await eventually(() => expect(all().some((one) => one.message === "File 19 broke.")).toBe(true));
  expect(all().filter((one) => one.message === "It broke.")).toHaveLength(1);
  expect(all().length).toBeLessThan(10);
});
