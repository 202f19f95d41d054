// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { MediaFile } from "../../domain/files/data";
import { NoLines } from "./EmptyTrack";

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  ["live", false, "Recording", "Lines appear here at each pause."],
  ["live", true, "No captions yet", "Add the first line yourself"],
  ["completed", false, "No speech was found", "Add the first line yourself"],
  ["failed", false, "No captions yet", "Add the first line yourself"],
])("without lines, %s, translated %s: %s", (status, isTranslation, title, next) => {
  render(
    <MantineProvider>
      <NoLines
        file={{ status } as MediaFile}
        isLive={false}
        readOnly={false}
        isTranslation={isTranslation}
        onAdd={vi.fn()}
      />
    </MantineProvider>,
  );
  expect(screen.getByText(title)).toBeTruthy();
  expect(screen.getByText(next, { exact: false })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Add a line" })).toBeTruthy();
});
