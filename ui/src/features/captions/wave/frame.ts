/** The frame in which the waveform's parts draw, all of them in one. */

const waiting = new Set<() => void>();
let requested = 0;
let drawing = false;

/**
 * Draw in the next frame, once however often it is called before. What a drawing calls for is drawn in its own frame:
 * a zoom moves wave, ruler and lines together.
 */
export function drawSoon(draw: () => void): void {
  waiting.add(draw);
  if (requested === 0 && !drawing) requested = requestAnimationFrame(drawAll);
}

/** Do not draw it any more. */
export function drawNever(draw: () => void): void {
  waiting.delete(draw);
}

function drawAll(): void {
  requested = 0;
  drawing = true;
  try {
    for (const draw of waiting) {
      waiting.delete(draw);
      draw();
    }
  } finally {
    drawing = false;
    if (waiting.size > 0) requested = requestAnimationFrame(drawAll);
  }
}
