/** The spectrogram behind the lines, in place of the bars: one canvas as wide as the view, however long the file. */
import type WaveSurfer from "wavesurfer.js";
import { HEAD } from "./bars";
import { drawNever, drawSoon } from "./frame";
import type { Sight } from "./sight";
import {
  BANDS,
  COLUMNS_PER_SECOND,
  SpectrogramTiles,
  TILE_COLUMNS,
  type Colours,
} from "./spectrogramTiles";

const TILE_SECONDS = TILE_COLUMNS / COLUMNS_PER_SECOND;

export interface Spectrogram {
  /** Take the colours of the scheme in force. */
  paint: () => void;
  stop: () => void;
}

/** Draw the part in view now and after every move. `said` gets why bytes did not arrive, and nothing once some do. */
export function showSpectrogram(
  canvas: HTMLCanvasElement,
  wave: WaveSurfer,
  sight: () => Sight,
  url: string,
  said: (problem: string | undefined) => void,
): Spectrogram {
  const tiles = new SpectrogramTiles(url, (error) => {
    said(error?.message);
    if (error === undefined) soon();
  });
  const draw = () => drawTiles(canvas, sight(), tiles);
  const soon = () => drawSoon(draw);
  const paint = () => {
    tiles.paint(coloursOf(canvas));
    soon();
  };
  const stops = (["scroll", "zoom", "ready", "redraw", "resize"] as const).map((moved) =>
    wave.on(moved, soon),
  );
  paint();
  return {
    paint,
    stop: () => {
      drawNever(draw);
      tiles.end();
      for (const stop of stops) stop();
      canvas.width = 0;
    },
  };
}

function drawTiles(canvas: HTMLCanvasElement, seen: Sight, tiles: SpectrogramTiles): void {
  const { width, whole, seconds, left } = seen;
  const drawing = canvas.getContext("2d");
  if (drawing === null || seconds === 0 || whole === 0 || width === 0) return;
  const density = window.devicePixelRatio;
  const [pixels, rows] = [Math.round(width * density), Math.round(canvas.clientHeight * density)];
  if (canvas.width !== pixels) canvas.width = pixels;
  if (canvas.height !== rows) canvas.height = rows;
  drawing.clearRect(0, 0, pixels, rows);
  const scale = (whole / seconds) * density;
  const from = left * density;
  const head = HEAD * density;
  const last = Math.min(seconds, (left + width) / (whole / seconds)) / TILE_SECONDS;
  for (
    let number = Math.floor(left / (whole / seconds) / TILE_SECONDS);
    number < last;
    number += 1
  ) {
    const picture = tiles.at(number);
    if (picture === undefined) continue;
    const start = number * TILE_SECONDS * scale - from;
    const length = (picture.width / COLUMNS_PER_SECOND) * scale;
    drawing.drawImage(picture, 0, 0, picture.width, BANDS, start, head, length, rows - head);
  }
}

/** From nothing through the colour of the bars to that of the text, as the canvas reads them from the style sheet. */
function coloursOf(canvas: HTMLCanvasElement): Colours {
  const style = getComputedStyle(canvas);
  const strip = document.createElement("canvas");
  strip.width = 256;
  strip.height = 1;
  const drawing = strip.getContext("2d");
  if (drawing === null) return new Uint8ClampedArray(1024);
  const gradient = drawing.createLinearGradient(0, 0, 256, 0);
  gradient.addColorStop(0.2, "transparent");
  gradient.addColorStop(0.55, style.getPropertyValue("--wave").trim());
  gradient.addColorStop(0.8, style.getPropertyValue("--wave-played").trim());
  gradient.addColorStop(1, style.getPropertyValue("--ink").trim());
  drawing.fillStyle = gradient;
  drawing.fillRect(0, 0, 256, 1);
  return drawing.getImageData(0, 0, 256, 1).data;
}
