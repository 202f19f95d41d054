/** Which part of the waveform is in view. */
import type WaveSurfer from "wavesurfer.js";

export interface Sight {
  /** The length of the file in seconds, and its width in pixels. */
  seconds: number;
  whole: number;
  /** Where the view begins, and how wide it is, in pixels. */
  left: number;
  width: number;
}

/** Reads it when it moved, and not for each of those that draw: a reading lays the page out. */
export function watchSight(wave: WaveSurfer): () => Sight {
  let sight: Sight | undefined;
  const forget = () => {
    sight = undefined;
  };
  for (const moved of ["scroll", "zoom", "ready", "redraw", "resize"] as const)
    wave.on(moved, forget);
  return () =>
    (sight ??= {
      seconds: wave.getDuration(),
      whole: wave.getWrapper().scrollWidth,
      left: wave.getScroll(),
      width: wave.getWidth(),
    });
}

/** The time in view, from and to, in milliseconds. */
export function timeIn({ seconds, whole, left, width }: Sight): [number, number] {
  const perPixel = (seconds * 1000) / Math.max(1, whole);
  return [left * perPixel, (left + width) * perPixel];
}
