// @vitest-environment jsdom
import { act, cleanup, render, screen } from "@testing-library/react";
import useSWR, { SWRConfig, useSWRConfig } from "swr";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keys } from "../../platform/api/keys";
import type { MediaFile } from "../../domain/files/data";
import type { PollingEvent } from "./events";
import { patchFiles } from "./patchFiles";

/** The calls for the file that wait for their answer. */
let calls: ((file: MediaFile) => void)[];
let arrive: () => void;
let refetch: () => void;

const named = (name: string) => ({ slug: "talk", name, progress: 0 }) as unknown as MediaFile;
const PROGRESS: PollingEvent = {
  queue: "Transcribe",
  action: "Progress",
  slug: "talk",
  name: "Talk",
  progress: 50,
};

function Name() {
  const config = useSWRConfig();
  arrive = () => patchFiles(config, [PROGRESS]);
  refetch = () => void config.mutate(keys.file("talk"));
  const { data } = useSWR(
    keys.file("talk"),
    () => new Promise<MediaFile>((answer) => calls.push(answer)),
  );
  return <p>{data === undefined ? "Loading" : data.name}</p>;
}

beforeEach(() => {
  calls = [];
  const cache = new Map();
  render(
    <SWRConfig value={{ provider: () => cache }}>
      <Name />
    </SWRConfig>,
  );
});
afterEach(cleanup);

const settle = (name: string) =>
  act(async () => {
    for (const answer of calls.splice(0)) answer(named(name));
  });

test("an event during the first call does not leave the page empty", async () => {
  await act(async () => arrive());
  await settle("Talk");
  expect(screen.getByText("Talk")).toBeTruthy();
});

test("an event during a later call does not lose its answer", async () => {
  await settle("Talk");
  await act(async () => refetch());
  await act(async () => arrive());
  await settle("Talk, renamed");
  expect(screen.getByText("Talk, renamed")).toBeTruthy();
});

test("an event for a file that is here makes no call", async () => {
  await settle("Talk");
  await act(async () => arrive());
  expect(calls).toHaveLength(0);
});

test("an event that says nothing new makes no call while one is on its way", async () => {
  await settle("Talk");
  await act(async () => arrive());
  await act(async () => refetch());
  expect(calls).toHaveLength(1);
  await act(async () => arrive());
  expect(calls).toHaveLength(1);
});
