/** Sends pieces of sound in order, each until the server has kept it: a lost connection loses nothing. */
import { callHeaders, csrfToken } from "../../../platform/api/client";

export interface SenderEvents {
  /** How many pieces wait. More than a few mean that the connection is slow or away. */
  onWaiting: (pieces: number) => void;
  /** The server takes no more sound from here, and why, as a sentence. */
  onRefused: (message: string) => void;
  /** What the server says about the end of the recording. */
  onKept: (answer: { ends_at_ms: number; ends_why: string | null }) => void;
}

/** An hour of sound, 115 MB. */
export const MOST_WAITING = 7_200;
const TIMEOUT_MS = 10_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504, 507]);

interface Answer {
  data?: { next_piece: number; ends_at_ms: number; ends_why: string | null };
  message?: string;
}

export class SoundSender {
  private readonly queue: ArrayBuffer[] = [];
  private running: Promise<void> | undefined;
  private isOver = false;
  private wake: (() => void) | undefined;

  /** `next` is the number of the first piece that will be added. */
  constructor(
    private readonly slug: string,
    private readonly source: string,
    private next: number,
    private readonly events: SenderEvents,
  ) {}

  /** False where nothing more can be held. */
  add(pcm: ArrayBuffer): boolean {
    if (this.isOver || this.queue.length >= MOST_WAITING) return false;
    this.queue.push(pcm);
    this.events.onWaiting(this.queue.length);
    this.running ??= this.run().finally(() => (this.running = undefined));
    return true;
  }

  /** Wait until everything is kept. False where the server refused it. */
  async drained(): Promise<boolean> {
    this.wake?.();
    await this.running;
    return !this.isOver;
  }

  stop(): void {
    this.isOver = true;
    this.wake?.();
  }

  private async run(): Promise<void> {
    let wait = FIRST_WAIT_MS;
    while (this.queue.length > 0 && !this.isOver) {
      if (await this.send(this.queue[0] as ArrayBuffer)) {
        this.queue.shift();
        this.next += 1;
        this.events.onWaiting(this.queue.length);
        wait = FIRST_WAIT_MS;
      } else if (!this.isOver) {
        await this.pause(wait);
        wait = Math.min(LONGEST_WAIT_MS, wait * 2);
      }
    }
  }

  /** Whether the piece is kept. */
  private async send(pcm: ArrayBuffer): Promise<boolean> {
    let response: Response;
    let answer: Answer;
    try {
      response = await fetch(
        `/api/live/${this.slug}/sound/${this.next}?source=${encodeURIComponent(this.source)}`,
        {
          method: "PUT",
          credentials: "same-origin",
          headers: {
            ...(await callHeaders("PUT")),
            "Content-Type": "application/octet-stream",
          },
          body: pcm,
          signal: AbortSignal.timeout(TIMEOUT_MS),
        },
      );
      answer = (await response.json().catch(() => ({}))) as Answer;
    } catch {
      return false;
    }
    if (response.ok && answer.data !== undefined) {
      this.events.onKept(answer.data);
      return true;
    }
    if (response.status === 419) await csrfToken(true);
    else if (!PASSING.has(response.status)) {
      this.isOver = true;
      this.events.onRefused(answer.message ?? "");
    }
    return false;
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
