// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PaneBoundary } from "./PaneBoundary";

const logged = vi.hoisted(() => vi.fn());
vi.mock("../api/client", () => ({ logError: logged }));

let isBroken = true;
function Player() {
  if (isBroken) throw new Error("no decoder");
  return <p>playing</p>;
}

beforeEach(() => {
  isBroken = true;
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

function page(at: string) {
  return (
    <MantineProvider>
      <input aria-label="A line" defaultValue="typed" />
      <PaneBoundary name="Player" at={at}>
        <Player />
      </PaneBoundary>
    </MantineProvider>
  );
}

test("an error in one part leaves the rest alone, is logged, and can be tried again", () => {
  render(page("/a"));
  expect(screen.getByRole("alert").textContent).toContain("Player");
  expect((screen.getByLabelText("A line") as HTMLInputElement).value).toBe("typed");
  expect(logged).toHaveBeenCalledWith(
    expect.objectContaining({ message: "no decoder" }),
    expect.stringContaining("Player"),
  );
  isBroken = false;
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(screen.getByText("playing")).toBeTruthy();
});

test("another page or file starts without the error", () => {
  const { rerender } = render(page("/a"));
  isBroken = false;
  rerender(page("/b"));
  expect(screen.getByText("playing")).toBeTruthy();
});
