// @vitest-environment jsdom
import { notifications, notificationsStore } from "@mantine/notifications";
import { afterEach, expect, it, vi } from "vitest";
import { TOAST_MS } from "../../theme/theme";
import { toast } from "./toast";

afterEach(() => notifications.clean());

const all = () => {
  const { notifications: shown, queue } = notificationsStore.getState();
  return [...shown, ...queue];
};

it("lives as long as the specification says, and can be closed", async () => {
  toast("error", "It broke.");
  await vi.waitFor(() => expect(all()).toHaveLength(1));
  expect(TOAST_MS).toBe(3000);
  expect(all()[0]).toMatchObject({
    autoClose: TOAST_MS,
    role: "alert",
    closeButtonProps: { "aria-label": "Close this message" },
  });
});

it("shows the same words once, and keeps few waiting", async () => {
  for (let index = 0; index < 20; index += 1) toast("error", "It broke.");
  for (let index = 0; index < 20; index += 1) toast("error", `File ${index} broke.`);
  await vi.waitFor(() => expect(all().some((one) => one.message === "File 19 broke.")).toBe(true));
  expect(all().filter((one) => one.message === "It broke.")).toHaveLength(1);
  expect(all().length).toBeLessThan(10);
});
