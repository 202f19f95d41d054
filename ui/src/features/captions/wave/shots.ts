/** Marks where the picture cuts, behind the blocks of the waveform. */
import type WaveSurfer from "wavesurfer.js";

/** More marks than this in view say nothing, and would slow scrolling. */
const MARKS_MAX = 200;

export function showShots(
  wave: WaveSurfer,
  shots: () => readonly number[],
): { draw: () => void; stop: () => void } {
  const sheet = document.createElement("div");
  wave.getWrapper().append(sheet);
  const draw = () => {
    const seconds = wave.getDuration();
    const width = wave.getWrapper().scrollWidth;
    if (seconds <= 0) return;
    const perMs = width / (seconds * 1000);
    const [from, to] = [wave.getScroll() / perMs, (wave.getScroll() + wave.getWidth()) / perMs];
    const seen = shots().filter((shot) => from <= shot && shot <= to);
    sheet.replaceChildren(
      ...(seen.length > MARKS_MAX ? [] : seen).map((shot) => {
        const mark = document.createElement("i");
        mark.setAttribute("part", "shot");
        mark.style.left = `${Math.round(shot * perMs)}px`;
        return mark;
      }),
    );
  };
  return { draw, stop: () => sheet.remove() };
}
