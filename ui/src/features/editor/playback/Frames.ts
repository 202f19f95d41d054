/** The frames of a video. A time of a caption meets a frame when it is the frame's start, rounded down to milliseconds:
 * then players and exports show the caption from that frame on, or until the frame before it.
 */
const WHOLE = 1_000 / 1_001;
/** The server rounds rates to three digits. */
const ROUNDED = 0.0006;

/** The rate that three digits stand for: 29.97 is 30000/1001, which over an hour is 3.6 ms less. */
function exactRate(fps: number): number {
  const ntsc = Math.round(fps / WHOLE) * WHOLE;
  return Math.abs(ntsc - fps) < ROUNDED ? ntsc : fps;
}

/** Two times that are less apart are the same: decoders and containers round too. */
const SAME_MS = 1;
/** Sums of fractions miss whole numbers by less. */
const NEAR = 1e-6;

export class Frames {
  readonly lengthMs: number;
  /** How long after a whole number of frames each one starts: some pictures begin later than their sound. */
  private phase = 0;

  constructor(fps: number) {
    this.lengthMs = 1_000 / exactRate(fps);
  }

  /** Learn from a frame on screen when frames start. */
  meet(startMs: number): void {
    this.phase = startMs - Math.floor(startMs / this.lengthMs + NEAR) * this.lengthMs;
  }

  /** The number of the frame on screen at a time. */
  at(ms: number): number {
    return Math.max(0, Math.floor((ms - this.phase) / this.lengthMs + NEAR));
  }

  start(number: number): number {
    return Math.max(0, Math.floor(this.exactStart(number) + NEAR));
  }

  middle(number: number): number {
    return Math.max(0, this.exactStart(number) + this.lengthMs / 2);
  }

  /** The first frame that a caption with this start is on. */
  from(ms: number): number {
    return Math.max(0, Math.ceil((ms - SAME_MS - this.phase) / this.lengthMs));
  }

  nearest(ms: number): number {
    return this.start(Math.max(0, Math.round((ms - this.phase) / this.lengthMs)));
  }

  /** A time moved by whole frames: as many as `by` milliseconds are, and one at least. */
  moved(ms: number, by: number): number {
    const frames = Math.max(1, Math.round(Math.abs(by) / this.lengthMs));
    return this.start(Math.max(0, this.from(ms) + Math.sign(by) * frames));
  }

  /** The times moved inwards to frames; the times themselves where no frame lies between them. */
  inside(start: number, end: number): { start: number; end: number } {
    const first = this.start(this.at(start));
    const own = {
      start: first < start ? this.start(this.at(start) + 1) : first,
      end: this.start(this.at(end)),
    };
    return own.end > own.start ? own : { start, end };
  }

  private exactStart(number: number): number {
    return this.phase + number * this.lengthMs;
  }
}

/** For sound, and where the rate is unknown: no times to meet. */
export const framesOf = (fps: number | null): Frames | undefined =>
  fps !== null && fps > 0 ? new Frames(fps) : undefined;
