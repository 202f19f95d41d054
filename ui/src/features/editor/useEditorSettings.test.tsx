// @vitest-environment jsdom
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { eventually } from "../../platform/eventually.testing";
import { forgetPerson } from "../../platform/offline/atSignOut";
import { adoptConfig } from "../../platform/api/publicConfig";
import { useEditorSettings, type EditorSettings } from "./useEditorSettings";

const STANDARD = { clock: "ms", drop_frame: true, snap: true } as EditorSettings;

/** As the server has them. */
let saved: EditorSettings;
/** Calls that wait for the network; each continues when it is called. */
let held: (() => void)[];
let refused: boolean;

const answer = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json" },
  });

beforeEach(() => {
  saved = { ...STANDARD, snap: false };
  held = [];
  refused = false;
  document.cookie = "XSRF-TOKEN=token";
  adoptConfig({ editor_settings: STANDARD } as Parameters<typeof adoptConfig>[0]);
  vi.stubGlobal("fetch", async (request: Request) => {
    const patch = request.method === "GET" ? {} : ((await request.json()) as object);
    await new Promise<void>((go) => held.push(go));
    if (refused) return answer({ message: "Not now." }, 422);
    saved = { ...saved, ...patch };
    return answer({ data: saved });
  });
});
afterEach(() => vi.unstubAllGlobals());

const goOn = async () => {
  await eventually(() => expect(held).toHaveLength(1));
  await act(async () => held.pop()?.());
};

function opened() {
  const cache = new Map();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <SWRConfig value={{ provider: () => cache }}>{children}</SWRConfig>
  );
  return renderHook(() => useEditorSettings(), { wrapper }).result;
}

it("keeps both of two changes, the second made while the first travels", async () => {
  const page = opened();
  await goOn();
  act(() => page.current.change({ clock: "frames" }));
  act(() => page.current.change({ drop_frame: false }));
  const both = { clock: "frames", drop_frame: false, snap: false };
  expect(page.current.settings).toEqual(both);
  await goOn();
  expect(page.current.settings).toEqual(both);
  await goOn();
  await eventually(() => expect(saved).toEqual(both));
  expect(page.current.settings).toEqual(both);
});

it("overwrites nothing that it has not fetched yet", async () => {
  const page = opened();
  await eventually(() => expect(held).toHaveLength(1));
  act(() => page.current.change({ clock: "frames" }));
  await eventually(() => expect(held).toHaveLength(2));
  await act(async () => held.splice(0).forEach((go) => go()));
  const changed = { clock: "frames", drop_frame: true, snap: false };
  await eventually(() => expect(page.current.settings).toEqual(changed));
  expect(saved).toEqual(changed);
});

it("gives nobody else a change that waited when its person signed out", async () => {
  const page = opened();
  await goOn();
  act(() => page.current.change({ clock: "frames" }));
  act(() => page.current.change({ drop_frame: false }));
  await eventually(() => expect(held).toHaveLength(1));
  forgetPerson();
  await goOn();
  await eventually(() => expect(saved.clock).toBe("frames"));
  act(() => page.current.change({ snap: true }));
  await goOn();
  await eventually(() => expect(saved).toEqual({ clock: "frames", drop_frame: true, snap: true }));
});

it("saves the next change after one that was refused, and shows what the server has", async () => {
  const page = opened();
  await goOn();
  refused = true;
  act(() => page.current.change({ clock: "frames" }));
  await goOn();
  await eventually(() => expect(page.current.settings.clock).toBe("ms"));
  refused = false;
  act(() => page.current.change({ drop_frame: false }));
  await goOn();
  await eventually(() => expect(saved).toEqual({ clock: "ms", drop_frame: false, snap: false }));
});
