import WaveSurfer from "wavesurfer.js";
import { t } from "../../../platform/messages/editor";
import type { Playback } from "../../editor/playback/Playback";
import { BAR, BAR_GAP, barsUpTo } from "./bars";

export interface Peaks {
  version: number;
  samples_per_second: number;
  /** Lowest and highest in turn, -127 to 127. */
  peaks: number[];
  /** Where somebody speaks: starts and ends in turn, in milliseconds. Files of older versions have none. */
  speech_ms?: number[];
}

const LOUDEST = 127;
const WAVE_HEIGHT = 76;
const WAVE_HEIGHT_ON_PHONES = 48;

/** The upper and lower edge of the waveform as two channels, drawn above and below the middle. */
export function edges({ peaks }: Peaks): [Float32Array, Float32Array] {
  const count = peaks.length >> 1;
  const high = new Float32Array(count);
  const low = new Float32Array(count);
  for (let index = 0; index < count; index += 1) {
    low[index] = Math.abs(peaks[index * 2] ?? 0) / LOUDEST;
    high[index] = Math.abs(peaks[index * 2 + 1] ?? 0) / LOUDEST;
  }
  return [high, low];
}

const loudest = (channels: readonly Float32Array[]): number =>
  channels.reduce((most, channel) => channel.reduce((a, b) => Math.max(a, b), most), 0);

export function makeWave(
  container: HTMLElement,
  peaks: Peaks,
  seconds: number,
  playback: Playback,
  zoom: number,
): WaveSurfer {
  const channels = edges(peaks);
  const wave = WaveSurfer.create({
    container,
    height: matchMedia("(max-width: 480px)").matches ? WAVE_HEIGHT_ON_PHONES : WAVE_HEIGHT,
    peaks: channels,
    duration: seconds,
    minPxPerSec: zoom,
    renderFunction: barsUpTo(loudest(channels)),
    barWidth: BAR,
    barGap: BAR_GAP,
    cursorWidth: 2,
    dragToSeek: false,
    autoScroll: true,
    autoCenter: false,
    media: playback.element ?? undefined,
  });
  paint(wave);
  const scroller = wave.getWrapper().parentElement;
  scroller?.setAttribute("tabindex", "0");
  scroller?.setAttribute("role", "group");
  scroller?.setAttribute("aria-label", t("waveScrolls"));
  // Without a medium, nothing else reports a click to the playback.
  wave.on("interaction", (second) => {
    if (playback.element === null) playback.seek(second * 1000);
  });
  return wave;
}

/** Use the colours of the current scheme: a canvas cannot read CSS variables. */
export function paint(wave: WaveSurfer): void {
  const style = getComputedStyle(document.documentElement);
  wave.setOptions({
    waveColor: style.getPropertyValue("--wave").trim(),
    cursorColor: style.getPropertyValue("--cue-on-edge").trim(),
  });
}
