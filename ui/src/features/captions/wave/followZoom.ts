import type WaveSurfer from "wavesurfer.js";
import type { Playback } from "../../editor/playback/Playback";
import { drawNever, drawSoon } from "./frame";
import type { ZoomLevel } from "./zoomLevel";

/** So far a wheel turns, or two fingers pinch, for one step. */
const STEP_DELTA = 40;

/**
 * Keep the waveform at the level; returns a function that stops it. Several steps of one frame are drawn once.
 *
 * What a person looks at stays where it is: what the pointer is on while the wheel turns, else the playhead, else the
 * middle of what is in view. Ctrl with the wheel, which is also what pinching sends, goes closer or away.
 */
export function followZoom(wave: WaveSurfer, level: ZoomLevel, playback: Playback): () => void {
  const scroller = wave.getWrapper().parentElement ?? wave.getWrapper();
  /** Pixels from the left edge of the view; undefined without a pointer. */
  let pointer: number | undefined;
  let turned = 0;

  const pxPerSecond = () => wave.getWrapper().scrollWidth / Math.max(0.001, wave.getDuration());
  const draw = () => {
    if (wave.getDecodedData() === null) return;
    const playhead = (playback.shownMs / 1000) * pxPerSecond() - wave.getScroll();
    const isSeen = playhead >= 0 && playhead <= wave.getWidth();
    const x = pointer ?? (isSeen ? playhead : wave.getWidth() / 2);
    const second = (wave.getScroll() + x) / pxPerSecond();
    pointer = undefined;
    wave.zoom(level.pxPerSecond);
    wave.setScroll(Math.max(0, second * pxPerSecond() - x));
  };
  const stop = level.subscribe(() => drawSoon(draw));

  const wheel = (event: WheelEvent) => {
    if (!event.ctrlKey) return;
    // The page would grow instead.
    event.preventDefault();
    turned += event.deltaY;
    if (Math.abs(turned) < STEP_DELTA) return;
    pointer = event.clientX - scroller.getBoundingClientRect().left;
    level.step(turned < 0 ? 1 : -1);
    turned = 0;
  };
  scroller.addEventListener("wheel", wheel, { passive: false });
  return () => {
    drawNever(draw);
    stop();
    scroller.removeEventListener("wheel", wheel);
  };
}
