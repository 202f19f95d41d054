// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SpeakersContext, type SpeakersOfRows } from "./context";
import { NEW_SPEAKER, type Speaker } from "../../domain/speakers/data";
import { SpeakerChip } from "./SpeakerChip";

const ANNA: Speaker = {
  label: "S1",
  name: "Anna",
  shown: "Anna",
  colour: 0,
  lines: 1,
  spoken_ms: 1000,
  sample: null,
  suggestion: null,
};

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});
afterEach(cleanup);

function show(speakers: Speaker[], speaker: string | null, readOnly = false) {
  const rows: SpeakersOfRows = {
    speakers,
    assign: vi.fn(),
    assignNumber: vi.fn(),
    rename: vi.fn(() => Promise.resolve(true)),
    recolour: vi.fn(),
  };
  render(
    <MantineProvider env="test">
      <SpeakersContext value={rows}>
        <SpeakerChip line="l1" number={1} speaker={speaker} readOnly={readOnly} />
      </SpeakersContext>
    </MantineProvider>,
  );
  return rows;
}

test("a line of a file without speakers gets its first one by hand", async () => {
  const rows = show([], null);
  fireEvent.click(screen.getByRole("button", { name: "Add who speaks line 1" }));
  const [alone] = await screen.findAllByRole("menuitem", { name: "+ Speaker" });
  fireEvent.click(alone as HTMLElement);
  expect(rows.assign).toHaveBeenCalledWith("l1", NEW_SPEAKER, false);
});

test("who may only look sees no such offer", () => {
  show([], null, true);
  expect(screen.queryByTestId("speaker-chip")).toBeNull();
});

test("a line's speaker gets a name and a colour there", async () => {
  const rows = show([ANNA], "S1");
  fireEvent.click(screen.getByTestId("speaker-chip"));
  const name = await screen.findByRole("textbox", { name: "Name of Anna" });
  fireEvent.change(name, { target: { value: "Birna" } });
  fireEvent.keyDown(name, { key: "Enter" });
  expect(rows.rename).toHaveBeenCalledWith("S1", "Birna");
  fireEvent.click(screen.getByRole("button", { name: "Colour 5" }));
  expect(rows.recolour).toHaveBeenCalledWith("S1", 4);
});

test("the menu gives the focus back when it closes", async () => {
  show([], null);
  const chip = screen.getByRole("button", { name: "Add who speaks line 1" });
  chip.focus();
  fireEvent.click(chip);
  const [alone] = await screen.findAllByRole("menuitem", { name: "+ Speaker" });
  fireEvent.keyDown(alone as HTMLElement, { key: "Escape" });
  expect(screen.getByTestId("speaker-chip")).toBe(document.activeElement);
});
