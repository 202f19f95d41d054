import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { line } from "../../../domain/captions/store/table.testing";
import { Playback } from "../../editor/playback/Playback";
import { TypingPause, type TypingSettings } from "./TypingPause";

const SETTINGS: TypingSettings = {
  pause_while_typing: "pause",
  pause_after_ms: 2_000,
  resume_after_ms: 1_000,
  resume_at: "back",
  resume_back_ms: 3_000,
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function typist(change: Partial<TypingSettings> = {}) {
  const playback = new Playback();
  playback.playing = true;
  playback.nowMs = 20_000;
  const did: string[] = [];
  vi.spyOn(playback, "pause").mockImplementation(() => {
    playback.playing = false;
    did.push("pause");
  });
  vi.spyOn(playback, "play").mockImplementation(() => void did.push(`play ${playback.nowMs}`));
  vi.spyOn(playback, "setRate").mockImplementation((rate) => void did.push(`rate ${rate}`));
  const pause = new TypingPause(playback, () => Date.now());
  pause.settings = { ...SETTINGS, ...change };
  const type = (ms: number) => {
    for (let at = 0; at <= ms; at += 500) {
      pause.type(line("a", 18_000, "one"));
      vi.advanceTimersByTime(500);
    }
  };
  return { type, did };
}

it("pauses after some typing, and goes on a little earlier when it stops", () => {
  const { type, did } = typist();
  type(1_500);
  expect(did).toEqual([]);
  vi.advanceTimersByTime(2_000);
  type(2_500);
  expect(did).toEqual(["pause"]);
  vi.advanceTimersByTime(1_000);
  expect(did).toEqual(["pause", "play 17000"]);
});

it("goes on at the start of the line, or slows down instead", () => {
  const before = typist({ resume_at: "before", pause_after_ms: 0 });
  before.type(0);
  vi.advanceTimersByTime(1_000);
  expect(before.did).toEqual(["pause", "play 18000"]);
  const slow = typist({ pause_while_typing: "slow", pause_after_ms: 0 });
  slow.type(0);
  vi.advanceTimersByTime(1_000);
  expect(slow.did).toEqual(["rate 0.5", "rate 1"]);
  const off = typist({ pause_while_typing: "off", pause_after_ms: 0 });
  off.type(500);
  expect(off.did).toEqual([]);
});
