// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { MediaFile } from "../../../domain/files/data";
import { Editing } from "../../editor/editing";
import { Playback } from "../../editor/playback/Playback";
import { Bench } from "../../../domain/captions/store/bench.testing";
import { PanelPane } from "./PanelPane";
import { PanelsContext, usePanelsState } from "../../editor/panels/usePanels";

const file = { slug: "talk" } as MediaFile;

function Page({ editing }: { editing: Editing }) {
  const panels = usePanelsState(editing);
  return (
    <PanelsContext value={panels}>
      <button onClick={() => panels.open("find", { text: "one" })}>Search</button>
      <PanelPane file={file} editing={editing} readOnly={false}>
        the lines
      </PanelPane>
    </PanelsContext>
  );
}

const show = () =>
  render(
    <MemoryRouter>
      <MantineProvider>
        <Page editing={new Editing(new Bench().open(), new Playback(), vi.fn())} />
      </MantineProvider>
    </MemoryRouter>,
  );

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("matchMedia", () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
    addListener: vi.fn(),
    removeListener: vi.fn(),
  }));
});

afterEach(cleanup);

it("opens a panel with what it is for, and Escape returns the focus", async () => {
  show();
  await userEvent.click(screen.getByText("Search"));
  const box = await screen.findByTestId("find-query");
  await waitFor(() => expect(document.activeElement).toBe(box));
  expect((box as HTMLInputElement).value).toBe("one");
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByTestId("panel-find")).toBeNull();
  expect(document.activeElement).toBe(screen.getByText("Search"));
});

it("is open again at the next visit, without taking the focus", async () => {
  const first = show();
  await userEvent.click(screen.getByText("Search"));
  first.unmount();
  show();
  await screen.findByTestId("find-query");
  expect(document.activeElement).toBe(document.body);
});
