import type WaveSurfer from "wavesurfer.js";
import { drawNever, drawSoon } from "./frame";
import type { ZoomLevel } from "./zoomLevel";

/** Keep the waveform at the level; returns a function that stops it. Several steps of one frame are drawn once. */
export function followZoom(wave: WaveSurfer, level: ZoomLevel): () => void {
  const draw = () => {
    if (wave.getDecodedData() !== null) wave.zoom(level.pxPerSecond);
  };
  const stop = level.subscribe(() => drawSoon(draw));
  return () => {
    drawNever(draw);
    stop();
  };
}
