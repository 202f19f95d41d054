/** The recording that this browser page makes. It goes on while one moves between pages, such as to the editor. */
import { useSyncExternalStore } from "react";
import { day } from "../../domain/files/format";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { t } from "../../platform/messages/live";
import { onSignOut } from "../../platform/offline/atSignOut";
import { setRecording } from "./active";
import { openCapture, type Capture, type SoundKind } from "./capture/capture";
import { SoundSender } from "./capture/sender";

export type Live = Schemas["LiveOut"];

export interface Recording {
  slug: string;
  name: string;
  /** `gone`: the device or the shared tab is. */
  state: "recording" | "gone" | "ending" | "refused";
  /** From 0 to 1. */
  level: number;
  /** Pieces of half a second that the server has not kept yet. */
  waiting: number;
  /** What the server said when it refused the sound. */
  problem: string;
  endsAtMs: number;
  endsWhy: string | null;
}

interface Active {
  capture: Capture;
  sender: SoundSender;
}

let current: Recording | undefined;
let active: Active | undefined;
const listeners = new Set<() => void>();

function change(fields: Partial<Recording> | undefined): void {
  if (fields === undefined) current = undefined;
  else if (current !== undefined) current = { ...current, ...fields };
  setRecording(current !== undefined);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useRecording = (): Recording | undefined =>
  useSyncExternalStore(subscribe, () => current);

/** Who this page is for the server. */
const source = crypto.randomUUID();

interface Sound {
  kind: SoundKind;
  device: string | undefined;
}

/** Open the sound first: nobody wants a recording without it. Raises what the browser or the server says. */
export async function beginRecording(
  sound: Sound,
  about: Pick<Schemas["NewLive"], "language" | "detects_speakers" | "translate_to"> & {
    name: string;
  },
): Promise<Live> {
  return withSound(sound, async () => {
    const name =
      about.name.trim() === "" ? t("unnamed", { at: day(new Date().toISOString()) }) : about.name;
    const body = { ...about, name, source };
    return (await unwrap(api.POST("/api/live", { body }))).data;
  });
}

/** Record a meeting from here that another page or program recorded before. */
export async function takeOver(sound: Sound, slug: string): Promise<Live> {
  return withSound(sound, async () => {
    const params = { path: { key: slug } };
    return (await unwrap(api.POST("/api/live/{key}/source", { params, body: { source } }))).data;
  });
}

async function withSound({ kind, device }: Sound, open: () => Promise<Live>): Promise<Live> {
  await stopHere();
  // What comes before the server knows the recording belongs to it too.
  const early: ArrayBuffer[] = [];
  let take = (pcm: ArrayBuffer): void => void early.push(pcm);
  const capture = await openCapture(kind, device, {
    onPiece: (pcm) => take(pcm),
    onLevel: (level) => change({ level }),
    onGone: () => change({ state: "gone" }),
  });
  let live: Live;
  try {
    live = await open();
  } catch (error) {
    await capture.stop();
    throw error;
  }
  const sender = new SoundSender(live.slug, source, live.next_piece, {
    onWaiting: (waiting) => change({ waiting }),
    onRefused: (problem) => void refuse(problem),
    onKept: ({ ends_at_ms, ends_why }) => change({ endsAtMs: ends_at_ms, endsWhy: ends_why }),
  });
  current = {
    slug: live.slug,
    name: live.name,
    state: "recording",
    level: 0,
    waiting: 0,
    problem: "",
    endsAtMs: live.ends_at_ms,
    endsWhy: live.ends_why,
  };
  active = { capture, sender };
  take = (pcm) => {
    if (!sender.add(pcm)) void refuse("");
  };
  for (const pcm of early) take(pcm);
  window.addEventListener("beforeunload", warn);
  change({});
  return live;
}

/** End the recording: everything that was said is sent first. */
export async function endRecording(): Promise<void> {
  if (current === undefined || active === undefined) return;
  const { slug } = current;
  const { capture, sender } = active;
  change({ state: "ending" });
  await capture.stop();
  await sender.drained();
  close();
  await unwrap(api.POST("/api/live/{key}/end", { params: { path: { key: slug } } }));
}

/** Stop sending; the recording itself may go on elsewhere. */
async function stopHere(): Promise<void> {
  if (active === undefined) return;
  const { capture, sender } = active;
  close();
  sender.stop();
  await capture.stop();
}

async function refuse(problem: string): Promise<void> {
  if (active === undefined) return;
  const { capture } = active;
  active = undefined;
  window.removeEventListener("beforeunload", warn);
  change({ state: "refused", problem, level: 0 });
  await capture.stop();
}

function close(): void {
  active = undefined;
  window.removeEventListener("beforeunload", warn);
  change(undefined);
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

onSignOut(() => void stopHere());
