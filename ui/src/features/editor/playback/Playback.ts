/** One media element and its clock. It lives outside React, so that a moving clock rerenders only what follows it. */
import { framesOf, type Frames } from "./Frames";

export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 2];

export class Playback {
  nowMs = 0;
  playing = false;
  rate = 1;
  looping = false;
  /** Undefined for sound. */
  frames: Frames | undefined;
  private fps: number | null = null;
  /** When the frame on screen starts, as far as the browser says. */
  private seenMs: number | undefined;
  private watch = 0;
  private media: HTMLMediaElement | null = null;
  private span: { start: number; end: number } | undefined;
  private frame = 0;
  private readonly listeners = new Set<() => void>();

  /** `onProblem` gets the error that keeps a medium from playing. */
  constructor(private readonly onProblem: (error: Error) => void = () => undefined) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** For a ref: attaches to the element when it is rendered and releases it when it is removed. */
  readonly attach = (media: HTMLMediaElement | null): void => {
    for (const name of EVENTS) this.media?.removeEventListener(name, this.read);
    cancelAnimationFrame(this.frame);
    this.forget();
    if (this.media instanceof HTMLVideoElement) this.media.cancelVideoFrameCallback?.(this.watch);
    this.media = media;
    this.watchFrames();
    for (const name of EVENTS) media?.addEventListener(name, this.read);
    if (media !== null) {
      media.currentTime = this.nowMs / 1000;
      this.read();
    }
  };

  /** Take the frames of a rate. Whoever names the same one shares them, and what the picture told of their starts. */
  framesAt(fps: number | null): Frames | undefined {
    if (fps !== this.fps) {
      this.fps = fps;
      this.frames = framesOf(fps);
    }
    return this.frames;
  }

  get element(): HTMLMediaElement | null {
    return this.media;
  }

  toggle(): void {
    if (this.media === null) return;
    if (this.media.paused) this.play();
    else this.media.pause();
  }

  play(): void {
    if (!this.looping) this.span = undefined;
    this.start();
  }

  pause(): void {
    this.media?.pause();
  }

  /** Works without a medium too: the list and the waveform follow the position. */
  seek(ms: number): void {
    const at = Math.max(0, ms);
    if (!this.looping) this.span = undefined;
    this.forget();
    if (this.media !== null) this.media.currentTime = at / 1000;
    this.nowMs = at;
    this.tell();
  }

  nudge(ms: number): void {
    const { frames, nowMs } = this;
    const at = nowMs + ms;
    this.seek(frames === undefined ? at : frames.middle(frames.at(at)));
  }

  /** The time of the playhead in a caption: when the frame on screen starts. */
  get shownMs(): number {
    const { frames } = this;
    return frames === undefined ? Math.round(this.nowMs) : frames.start(this.shown(frames));
  }

  /** How long a frame lasts; of sound, which has none, as at 25 a second. */
  get frameMs(): number {
    return this.frames?.lengthMs ?? USUAL_FRAME_MS;
  }

  /** Stop in the middle of another frame, so that no rounding shows the one beside it. */
  stepFrames(by: number): void {
    const { frames } = this;
    if (frames === undefined) this.seek(this.nowMs + by * this.frameMs);
    else this.seek(frames.middle(Math.max(0, this.shown(frames) + by)));
  }

  /** Go to the first frame that a caption with this start is on. */
  goTo(ms: number): void {
    const { frames } = this;
    this.seek(frames === undefined ? ms : frames.middle(frames.from(ms)));
  }

  /** Play a line and stop at its end, or start over when looping. */
  playSpan(start: number, end: number, looping = false): void {
    this.looping = looping;
    this.seek(start);
    this.span = { start, end };
    this.start();
    this.tell();
  }

  setRate(rate: number): void {
    this.rate = Math.min(4, Math.max(0.25, rate));
    if (this.media !== null) this.media.playbackRate = this.rate;
    this.tell();
  }

  /** Switch to the next slower or faster rate. */
  stepRate(direction: 1 | -1): void {
    const sorted = direction > 0 ? RATES : [...RATES].reverse();
    const next = sorted.find((rate) => (rate - this.rate) * direction > 0);
    if (next !== undefined) this.setRate(next);
  }

  setMuted(muted: boolean): void {
    if (this.media !== null) this.media.muted = muted;
    this.tell();
  }

  stopLoop(): void {
    this.looping = false;
    this.span = undefined;
    this.tell();
  }

  private shown(frames: Frames): number {
    // The picture may be one frame behind the clock, and one of a varying rate stands longer.
    return frames.at(this.seenMs === undefined ? this.nowMs : this.seenMs + frames.lengthMs / 2);
  }

  private readonly forget = (): void => {
    this.seenMs = undefined;
  };

  private watchFrames(): void {
    const { media } = this;
    if (!(media instanceof HTMLVideoElement) || !("requestVideoFrameCallback" in media)) return;
    this.watch = media.requestVideoFrameCallback((_, { mediaTime }) => {
      if (media !== this.media) return;
      this.frames?.meet(mediaTime * 1000);
      // During a seek it may be a frame of the place before: Chromium tells of most frames sought then.
      if (!media.seeking) this.seenMs = mediaTime * 1000;
      this.watchFrames();
    });
  }

  private start(): void {
    this.media?.play().catch((error: unknown) => {
      // A pause or a seek before playback has started is not an error.
      if (error instanceof Error && error.name === "AbortError") return;
      this.onProblem(error instanceof Error ? error : new Error(String(error)));
    });
  }

  private readonly read = (): void => {
    const { media } = this;
    if (media === null) return;
    if (media.seeking) this.forget();
    this.nowMs = Math.round(media.currentTime * 1000);
    this.playing = !media.paused && !media.ended;
    if (this.span !== undefined && this.playing && this.nowMs >= this.span.end) {
      if (this.looping) media.currentTime = this.span.start / 1000;
      else {
        media.pause();
        this.span = undefined;
      }
    }
    cancelAnimationFrame(this.frame);
    if (this.playing) this.frame = requestAnimationFrame(this.read);
    this.tell();
  };

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

const USUAL_FRAME_MS = 40;

const EVENTS = [
  "play",
  "pause",
  "ended",
  "seeking",
  "seeked",
  "timeupdate",
  "loadedmetadata",
  "volumechange",
];
