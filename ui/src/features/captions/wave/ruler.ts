/** The times under the waveform: one canvas as wide as the view, drawn for the visible part, however long the file. */
import type WaveSurfer from "wavesurfer.js";
import { drawNever, drawSoon } from "./frame";
import type { Sight } from "./sight";

/** Of its letters' size, as the height in `wave.module.css`. */
const ROW = 1.6;
const LABEL_EVERY_PX = 80;
/** Seconds between two labels, and the number of ticks between them. */
const STEPS: [number, number][] = [
  [0.5, 5],
  [1, 5],
  [2, 4],
  [5, 5],
  [10, 5],
  [15, 3],
  [30, 3],
  [60, 6],
  [120, 4],
  [300, 5],
  [600, 5],
  [900, 3],
  [1_800, 3],
  [3_600, 4],
];

export interface Tick {
  second: number;
  label: string | undefined;
}

/** Ticks from one second to another, at a scale in pixels per second. Their number depends on the pixels only. */
export function ticksBetween(from: number, to: number, pxPerSecond: number): Tick[] {
  const fits = STEPS.find(([seconds]) => seconds * pxPerSecond >= LABEL_EVERY_PX);
  const [every, parts] = fits ?? [Math.ceil(LABEL_EVERY_PX / pxPerSecond / 3_600) * 3_600, 4];
  const ticks: Tick[] = [];
  for (let count = Math.ceil((from / every) * parts); (count * every) / parts <= to; count += 1) {
    const second = (count * every) / parts;
    ticks.push({ second, label: count % parts === 0 ? labelOf(second) : undefined });
  }
  return ticks;
}

function labelOf(second: number): string {
  const whole = Math.floor(second);
  const pad = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor(whole / 60) % 60;
  const clock = hours > 0 ? `${hours}:${pad(minutes)}` : String(minutes);
  const half = second === whole ? "" : `.${Math.round((second - whole) * 10)}`;
  return `${clock}:${pad(whole % 60)}${half}`;
}

/** Draw the visible part of the ruler. */
export function drawRuler(canvas: HTMLCanvasElement, sight: Sight): void {
  const { width, whole, seconds, left } = sight;
  const context = canvas.getContext("2d");
  if (context === null || seconds === 0 || whole === 0 || width === 0) return;
  const density = window.devicePixelRatio;
  const style = getComputedStyle(canvas);
  const height = Math.round(parseFloat(style.fontSize) * ROW);
  const [pixels, rows] = [Math.round(width * density), Math.round(height * density)];
  if (canvas.width !== pixels) canvas.width = pixels;
  if (canvas.height !== rows) canvas.height = rows;
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, width, height);
  context.fillStyle = style.color;
  context.font = `${style.fontSize} ${style.fontFamily}`;
  context.textBaseline = "bottom";
  const scale = whole / seconds;
  // A label that starts left of the view may still reach into it.
  const from = Math.max(0, left - LABEL_EVERY_PX) / scale;
  for (const { second, label } of ticksBetween(
    from,
    Math.min(seconds, (left + width) / scale),
    scale,
  )) {
    const x = Math.round(second * scale - left);
    context.fillRect(x, 0, 1, label === undefined ? 4 : height);
    if (label !== undefined) context.fillText(label, x + 4, height);
  }
}

/** Keep the ruler in step with the waveform; returns a function that stops it. */
export function followWave(
  canvas: HTMLCanvasElement,
  wave: WaveSurfer,
  sight: () => Sight,
): () => void {
  const draw = () => drawRuler(canvas, sight());
  const soon = () => drawSoon(draw);
  const stops = [
    wave.on("scroll", soon),
    wave.on("zoom", soon),
    wave.on("ready", soon),
    wave.on("redraw", soon),
  ];
  soon();
  return () => {
    drawNever(draw);
    for (const stop of stops) stop();
  };
}
