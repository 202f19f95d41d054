/** Marks where the picture cuts, behind the blocks of the waveform. */
import type WaveSurfer from "wavesurfer.js";
import { timeIn, type Sight } from "./sight";

/** More marks than this in view say nothing, and would slow scrolling. */
const MARKS_MAX = 200;

/** Returns a function that draws those in view. They lie at shares of the width, so a zoom moves those that stay. */
export function showShots(
  wave: WaveSurfer,
  shots: () => readonly number[],
): (sight: Sight) => void {
  const sheet = document.createElement("div");
  wave.getWrapper().append(sheet);
  let drawn = "";
  return (sight) => {
    const [from, to] = timeIn(sight);
    const seen = shots().filter((shot) => from <= shot && shot <= to);
    const shown = seen.length > MARKS_MAX ? [] : seen;
    const state = `${sight.seconds} ${shown.join()}`;
    if (state === drawn) return;
    drawn = state;
    sheet.replaceChildren(
      ...shown.map((shot) => {
        const mark = document.createElement("i");
        mark.setAttribute("part", "shot");
        mark.style.left = `${shot / sight.seconds / 10}%`;
        return mark;
      }),
    );
  };
}
