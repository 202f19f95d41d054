// @vitest-environment jsdom
import { expect, it } from "vitest";
import { Playback } from "./Playback";

/** A video that shows what it is told to. */
function videoWith(playback: Playback) {
  const video = document.createElement("video");
  let seen: VideoFrameRequestCallback = () => undefined;
  let seeking = false;
  Object.defineProperty(video, "seeking", { get: () => seeking });
  Object.assign(video, {
    requestVideoFrameCallback: (callback: VideoFrameRequestCallback) => {
      seen = callback;
      return 1;
    },
    cancelVideoFrameCallback: () => undefined,
  });
  playback.attach(video);
  const show = (mediaTime: number, isSeeking = false) => {
    seeking = isSeeking;
    seen(0, { mediaTime } as VideoFrameCallbackMetadata);
  };
  return { video, show, seek: () => (seeking = true) };
}

it("a time at the playhead is the start of the frame on screen", () => {
  const playback = new Playback();
  playback.framesAt(29.97);
  const { video, show } = videoWith(playback);
  playback.seek(6_553);
  expect(playback.shownMs).toBe(6_539);
  // The clock is already in frame 197, the screen still shows 196.
  show((196 * 1.001) / 30);
  video.currentTime = 6.58;
  video.dispatchEvent(new Event("timeupdate"));
  expect(playback.shownMs).toBe(6_539);
  playback.seek(6_580);
  expect(playback.shownMs).toBe(6_573);
});

it("a frame that is shown while the browser still seeks counts for nothing", () => {
  const playback = new Playback();
  playback.framesAt(25);
  const { show, seek, video } = videoWith(playback);
  show(1.01);
  playback.seek(3_015);
  seek();
  video.dispatchEvent(new Event("seeking"));
  show(1.01, true);
  // All the same it says when frames start.
  expect(playback.shownMs).toBe(3_010);
});

it("steps stop in the middle of the next frame, and frames may begin late", () => {
  const playback = new Playback();
  playback.framesAt(29.97);
  const { show } = videoWith(playback);
  show(0.02);
  playback.seek(20 + 1_001 / 30 + 1);
  playback.stepFrames(1);
  expect(playback.nowMs).toBeCloseTo(20 + 2.5 * (1_001 / 30), 3);
  playback.stepFrames(-1);
  playback.stepFrames(-1);
  playback.stepFrames(-1);
  expect(playback.nowMs).toBeCloseTo(20 + 0.5 * (1_001 / 30), 3);
  playback.goTo(20 + 66);
  expect(playback.nowMs).toBeCloseTo(20 + 2.5 * (1_001 / 30), 3);
});

it("sound has no frames to meet", () => {
  const playback = new Playback();
  playback.framesAt(null);
  playback.seek(1_234);
  expect(playback.shownMs).toBe(1_234);
  playback.stepFrames(1);
  expect(playback.nowMs).toBe(1_274);
});
