/** Draws the bars of the waveform, in place of wavesurfer's own drawing. */

/** Width of a bar and of the gap after it, in pixels of the page. */
export const BAR = 2;
export const BAR_GAP = 1;
/** Height above the bars in which the lines have their words, in pixels of the page. */
export const HEAD = 15;

/**
 * A function that draws a part of the waveform, for wavesurfer. `loudest` fills the height below the words of the lines.
 *
 * Wavesurfer makes two new canvases for each part, the second for what was played. That is half of the work of a zoom,
 * and some steps later the browser searches its memory for the old ones, which takes longer than the drawing. So we
 * draw on canvases of our own, which are used again, and empty wavesurfer's: it copies no empty one. The style sheet
 * shades what was played.
 */
export function barsUpTo(loudest: number) {
  const made: HTMLCanvasElement[] = [];
  return (channels: (Float32Array | number[])[], context: CanvasRenderingContext2D): void => {
    const { canvas, fillStyle } = context;
    const { width, height } = canvas;
    let own = made.find((one) => !one.isConnected && one.width === width && one.height === height);
    if (own === undefined) {
      own = canvas.cloneNode() as HTMLCanvasElement;
      made.push(own);
    }
    own.style.cssText = canvas.style.cssText;
    canvas.after(own);
    canvas.width = 0;
    const drawing = own.getContext("2d");
    const [high = [], low = high] = channels;
    if (drawing === null || high.length === 0) return;
    drawing.clearRect(0, 0, width, height);
    drawing.fillStyle = fillStyle;
    const density = width / parseFloat(own.style.width);
    // Where it is stretched far there are fewer peaks than bars would fit.
    const count = Math.min(high.length, Math.ceil(width / (BAR + BAR_GAP) / density));
    const step = width / count;
    const head = HEAD * density;
    const reach = (height - head) / 2;
    const middle = head + reach;
    const scale = loudest > 0 ? reach / loudest : 0;
    drawing.beginPath();
    for (let bar = 0; bar < count; bar += 1) {
      const from = Math.floor((bar * high.length) / count);
      const to = Math.floor(((bar + 1) * high.length) / count);
      const above = Math.round(peakOf(high, from, to) * scale);
      const below = Math.round(peakOf(low, from, to) * scale);
      // A line of one pixel where it is silent.
      drawing.rect(Math.round(bar * step), middle - above, BAR * density, above + below || 1);
    }
    drawing.fill();
  };
}

function peakOf(edge: ArrayLike<number>, from: number, to: number): number {
  let peak = 0;
  for (let index = from; index < to; index += 1) peak = Math.max(peak, edge[index] ?? 0);
  return peak;
}
