/** Runs beside the page: mixes what it hears to one channel at 16 kHz and hands over half seconds of it. */
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare const sampleRate: number;
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

const RATE = 16_000;
/** Half a second: a piece of the server's journal. */
const PIECE = 8_000;
const LEVEL_EVERY = 800;
const LOUDEST = 32_767;

/**
 * The page asks for a context at 16 kHz, in which the browser converts. Where it cannot, each of our samples is the
 * mean of those it stands for, which keeps speech and costs little.
 */
class Capture extends AudioWorkletProcessor {
  private piece = new Int16Array(PIECE);
  private filled = 0;
  private sum = 0;
  private count = 0;
  private due = 0;
  private loudest = 0;
  private heard = 0;

  constructor() {
    super();
    this.port.onmessage = () => this.flush();
  }

  process([channels = []]: Float32Array[][]): boolean {
    const length = channels[0]?.length ?? 0;
    for (let at = 0; at < length; at += 1) {
      let value = 0;
      for (const channel of channels) value += channel[at] ?? 0;
      this.take(value / channels.length);
    }
    return true;
  }

  private take(value: number): void {
    this.sum += value;
    this.count += 1;
    this.due += RATE;
    if (this.due < sampleRate) return;
    this.due -= sampleRate;
    const mean = Math.max(-1, Math.min(1, this.sum / this.count));
    this.sum = this.count = 0;
    this.piece[this.filled] = Math.round(mean * LOUDEST);
    this.filled += 1;
    this.loudest = Math.max(this.loudest, Math.abs(mean));
    this.heard += 1;
    if (this.heard >= LEVEL_EVERY) {
      this.port.postMessage({ level: this.loudest });
      this.loudest = this.heard = 0;
    }
    if (this.filled === PIECE) this.send();
  }

  private send(): void {
    const { buffer } = this.piece.slice(0, this.filled);
    this.piece = new Int16Array(PIECE);
    this.filled = 0;
    this.port.postMessage({ pcm: buffer }, [buffer]);
  }

  private flush(): void {
    if (this.filled > 0) this.send();
    this.port.postMessage({ flushed: true });
  }
}

registerProcessor("capture", Capture);
