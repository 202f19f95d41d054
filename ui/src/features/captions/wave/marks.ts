/** Marks at times of the waveform, behind its blocks: where the picture cuts, and where somebody speaks. */
import type WaveSurfer from "wavesurfer.js";
import { timeIn, type Sight } from "./sight";

/** In milliseconds, ascending. */
export interface Mark {
  from: number;
  to: number;
}

/** More marks than this in view say nothing, and would slow scrolling. */
const MARKS_MAX = 200;

export const shotMarks = (shots: readonly number[]): Mark[] =>
  shots.map((at) => ({ from: at, to: at }));

/** Starts and ends in turn. */
export function speechMarks(edges: readonly number[]): Mark[] {
  const marks: Mark[] = [];
  for (let index = 0; index + 1 < edges.length; index += 2)
    marks.push({ from: edges[index] ?? 0, to: edges[index + 1] ?? 0 });
  return marks;
}

/**
 * Returns a function that draws those in view. They lie at shares of the width, so a zoom moves those that stay. `part`
 * names them in the style sheet.
 */
export function showMarks(
  wave: WaveSurfer,
  part: string,
  marks: () => readonly Mark[],
): (sight: Sight) => void {
  const sheet = document.createElement("div");
  wave.getWrapper().append(sheet);
  let drawn = "";
  return (sight) => {
    const [from, to] = timeIn(sight);
    const seen = marks().filter((mark) => from <= mark.to && mark.from <= to);
    const shown = seen.length > MARKS_MAX ? [] : seen;
    const state = `${sight.seconds} ${shown.map((mark) => `${mark.from}-${mark.to}`).join()}`;
    if (state === drawn) return;
    drawn = state;
    sheet.replaceChildren(
      ...shown.map((mark) => {
        const element = document.createElement("i");
        element.setAttribute("part", part);
        element.style.left = `${mark.from / sight.seconds / 10}%`;
        if (mark.to > mark.from)
          element.style.width = `${(mark.to - mark.from) / sight.seconds / 10}%`;
        return element;
      }),
    );
  };
}
