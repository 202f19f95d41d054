// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { Suspense, type ComponentType } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { later, part } from "./Later";
import { PaneBoundary } from "./PaneBoundary";

vi.mock("../api/client", () => ({ logError: vi.fn() }));

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const show = (Part: ComponentType) =>
  render(
    <MantineProvider>
      <input aria-label="A line" defaultValue="typed" />
      <PaneBoundary name="Player">
        <Suspense fallback={null}>
          <Part />
        </Suspense>
      </PaneBoundary>
    </MantineProvider>,
  );
const Dialog = () => <p>the dialog</p>;
const tryAgain = () => fireEvent.click(screen.getByRole("button", { name: "Try again" }));

test("code that did not load is loaded again, and the page stays meanwhile", async () => {
  const reload = vi.fn();
  const load = vi
    .fn<() => Promise<{ default: ComponentType }>>()
    .mockRejectedValueOnce(new TypeError("Failed to fetch dynamically imported module"))
    .mockResolvedValue({ default: Dialog });
  show(part(load, reload));
  await screen.findByTestId("part-error");
  expect((screen.getByLabelText("A line") as HTMLInputElement).value).toBe("typed");
  expect(screen.queryByTestId("pane-error")).toBeNull();
  tryAgain();
  await screen.findByText("the dialog");
  expect(reload).not.toHaveBeenCalled();
});

test("where the browser never fetches it again, the page loads anew", async () => {
  const reload = vi.fn();
  const load = vi
    .fn<() => Promise<{ default: ComponentType }>>()
    .mockRejectedValue(new TypeError());
  show(part(load, reload));
  await screen.findByTestId("part-error");
  tryAgain();
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test("an error of another kind goes on to the pane", async () => {
  const Broken = (): never => {
    throw new Error("no decoder");
  };
  show(later(() => Promise.resolve({ default: Broken })));
  expect((await screen.findByTestId("pane-error")).textContent).toContain("Player");
});
