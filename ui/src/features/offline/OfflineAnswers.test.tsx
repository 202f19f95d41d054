// @vitest-environment jsdom
import "fake-indexeddb/auto";
import { act, cleanup, render, screen } from "@testing-library/react";
import useSWR, { SWRConfig, useSWRConfig } from "swr";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../../platform/eventually.testing";
import { keys } from "../../platform/api/keys";
import { rememberAccount } from "../../platform/offline/account";
import { answerFor } from "../../domain/offline/copies";
import { OfflineAnswers } from "./OfflineAnswers";
import { lastAnswers } from "../../domain/offline/lastAnswers";

const KEY = keys.speakers("talk");
let name: string;
let refresh: () => Promise<unknown>;

function Name() {
  const { mutate } = useSWRConfig();
  refresh = () => mutate(KEY);
  return <p>{useSWR(KEY, () => Promise.resolve(name)).data}</p>;
}

beforeEach(async () => {
  rememberAccount("ada");
  name = "Speaker 1";
  const cache = new Map([[keys.user, { data: { id: "ada", browse_as: null } }]]);
  const shared = { provider: () => cache, use: [lastAnswers], revalidateIfStale: false };
  await act(async () => {
    render(
      <SWRConfig value={shared}>
        <OfflineAnswers slug="talk" language="en" />
        <Name />
      </SWRConfig>,
    );
  });
});
afterEach(cleanup);

test("data that changed is fetched again and kept", async () => {
  await screen.findByText("Speaker 1");
  name = "Grace Hopper";
  await act(() => refresh());
  expect(screen.getByText("Grace Hopper")).toBeTruthy();
  await eventually(async () => expect(await answerFor(KEY)).toBe("Grace Hopper"));
});

test("what was there before is kept too", async () => {
  await eventually(async () =>
    expect(await answerFor(keys.user)).toEqual({ id: "ada", browse_as: null }),
  );
});
