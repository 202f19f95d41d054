// @vitest-environment jsdom
import { Alert, CloseButton, Drawer, MantineProvider, Modal, Notification } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ReactElement } from "react";
import { theme } from "./theme";

beforeEach(() =>
  vi.stubGlobal("matchMedia", () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  })),
);
afterEach(cleanup);

const noop = () => undefined;
const CLOSE = { "aria-label": "Close" };

it.each<[string, ReactElement]>([
  ["a button alone", <CloseButton key="" {...CLOSE} />],
  ["an alert", <Alert key="" withCloseButton closeButtonLabel="Close" />],
  ["a dialog", <Modal key="" opened onClose={noop} title="A" transitionProps={{ duration: 0 }} />],
  [
    "a drawer",
    <Drawer
      key=""
      opened
      onClose={noop}
      closeButtonProps={CLOSE}
      transitionProps={{ duration: 0 }}
    />,
  ],
  ["a toast", <Notification key="" closeButtonProps={CLOSE} />],
])("fingers meet what closes %s", (_, closable) => {
  render(
    <MantineProvider theme={theme} env="test">
      {closable}
    </MantineProvider>,
  );
  const button = screen.getByRole("button", { name: "Close" });
  expect(button.style.getPropertyValue("--cb-size")).toBe("var(--cb-size-lg)");
});
