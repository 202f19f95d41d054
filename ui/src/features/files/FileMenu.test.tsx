// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { MediaFile } from "../../domain/files/data";
import FileMenu from "./FileMenu";
import { SelectionContext } from "./browser/selection";
import { SelectionBar } from "./browser/SelectionBar";

const talk = (more: Partial<MediaFile>): MediaFile =>
  ({
    id: "1",
    slug: "talk",
    name: "Talk",
    team_id: "crew",
    status: "failed",
    transcription_id: "t",
    may_change: true,
    may_move: true,
    ...more,
  }) as MediaFile;

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe = vi.fn();
      unobserve = vi.fn();
      disconnect = vi.fn();
    },
  );
});
afterEach(cleanup);

async function commandsOf(file: MediaFile): Promise<(string | null)[]> {
  render(
    <MemoryRouter>
      <MantineProvider env="test">
        <FileMenu file={file} />
      </MantineProvider>
    </MemoryRouter>,
  );
  await userEvent.click(screen.getByRole("button"));
  return (await screen.findAllByRole("menuitem")).map((item) => item.textContent);
}

const ALL = [
  "Rename",
  "Tags…",
  "Download original",
  "Transcribe again",
  "Translate…",
  "Share for review…",
  "AI text",
  "Start again",
  "Move to…",
  "Delete",
];

it("offers all commands to who may change and move a file", async () => {
  expect(await commandsOf(talk({}))).toEqual(ALL);
  expect(screen.queryByTestId("why-look-only")).toBeNull();
});

it("does not offer to move what a colleague added", async () => {
  const commands = await commandsOf(talk({ may_move: false }));
  expect(commands).toEqual(ALL.filter((command) => command !== "Move to…"));
});

it("offers a viewer what they may do, and says why there is no more", async () => {
  const commands = await commandsOf(talk({ may_change: false, may_move: false }));
  expect(commands).toEqual(["Download original", "AI text"]);
  expect(screen.getByTestId("why-look-only").textContent).toContain("but not change it");
});

it.each([
  [[talk({})], ["Tags…", "Captions…", "Delete", "Clear selection"]],
  [
    [talk({}), talk({ id: "2", may_change: false, may_move: false })],
    ["Captions…", "Clear selection"],
  ],
])("offers for selected files what all of them allow", (files, expected) => {
  const chosen = new Map(files.map((file) => [file.id, file]));
  render(
    <MemoryRouter>
      <MantineProvider env="test">
        <SelectionContext value={{ chosen, set: vi.fn(), clear: vi.fn() }}>
          <SelectionBar />
        </SelectionContext>
      </MantineProvider>
    </MemoryRouter>,
  );
  expect(screen.getAllByRole("button").map((button) => button.textContent)).toEqual(expected);
});
