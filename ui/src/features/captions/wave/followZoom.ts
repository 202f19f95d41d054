import type WaveSurfer from "wavesurfer.js";
import type { ZoomLevel } from "./zoomLevel";

/** Keep the waveform at the level; returns a function that stops it. Several steps of one frame are drawn once. */
export function followZoom(wave: WaveSurfer, level: ZoomLevel): () => void {
  let waiting = 0;
  const stop = level.subscribe(() => {
    if (waiting !== 0) return;
    waiting = requestAnimationFrame(() => {
      waiting = 0;
      if (wave.getDecodedData() !== null) zoomTo(wave, level.pxPerSecond);
    });
  });
  return () => {
    cancelAnimationFrame(waiting);
    stop();
  };
}

/**
 * Zoom, and free the pictures of the former zoom at once: each step draws 2.4 MB of them, and for three steps' worth the
 * browser would search all of its memory, which takes longer than the drawing.
 */
function zoomTo(wave: WaveSurfer, pxPerSecond: number): void {
  const before = wave.getWrapper().querySelectorAll("canvas");
  wave.zoom(pxPerSecond);
  for (const canvas of before) if (!canvas.isConnected) canvas.width = 0;
}
