/** libass in a worker, drawing a script on a canvas. */
import JASSUB from "jassub";
import { t } from "../../../platform/messages/editor";

const READY_WITHIN_MS = 20_000;
const EMPTY = "[Script Info]\nScriptType: v4.00+\n";

const fontFiles = new Map<string, Promise<Uint8Array>>();

/** The bytes of a font, fetched once per page. */
function fontFile(url: string): Promise<Uint8Array> {
  const held = fontFiles.get(url);
  if (held !== undefined) return held;
  const file = fetch(url, { credentials: "same-origin" }).then(async (answer) => {
    if (!answer.ok) throw new Error(t("fontFailed", { font: url, status: answer.status }));
    return new Uint8Array(await answer.arrayBuffer());
  });
  file.catch(() => fontFiles.delete(url));
  fontFiles.set(url, file);
  return file;
}

export class Drawing {
  private readonly library: JASSUB;
  private readonly ready: Promise<void>;
  private readonly fonts = new Set<string>();
  private at = 0;
  private isShown = false;
  private isDestroyed = false;

  /** Draws over the whole canvas. `width` and `height` are the video's. Throws where WebAssembly does not run. */
  constructor(
    canvas: HTMLCanvasElement,
    private readonly width: number,
    private readonly height: number,
  ) {
    this.library = new JASSUB({
      canvas,
      subContent: EMPTY,
      queryFonts: false,
      defaultFont: "DejaVu Sans",
    });
    const started = this.library.ready;
    this.ready = within(READY_WITHIN_MS, started);
    // The library waits for it in a place where nobody catches its failure.
    this.library.ready = started.catch(() => new Promise<never>(() => undefined));
    // `show` reports it. Without a network there may be no script to show.
    this.ready.catch(() => undefined);
    // It resizes by itself and catches nothing: the end of the drawing may come between two of its steps.
    const resize = this.library.resize.bind(this.library);
    this.library.resize = (...size) => this.untilDestroyed(resize(...size));
  }

  /** Draw another script from now on, with these font files. Does nothing once destroyed. */
  show(ass: string, fonts: readonly string[]): Promise<void> {
    return this.untilDestroyed(this.load(ass, fonts));
  }

  private async load(ass: string, fonts: readonly string[]): Promise<void> {
    await this.ready;
    const missing = fonts.filter((url) => !this.fonts.has(url));
    const files = await Promise.all(missing.map(fontFile));
    if (files.length > 0) await this.library.renderer.addFonts(files);
    for (const url of missing) this.fonts.add(url);
    await this.library.renderer.setTrack(ass);
    this.isShown = true;
    await this.draw(this.at, true);
  }

  /** Draw the moment of a file. */
  async draw(ms: number, repaint = false): Promise<void> {
    this.at = ms;
    if (!this.isShown || this.isDestroyed) return;
    const { width, height } = this;
    await this.untilDestroyed(
      this.library.manualRender(
        { mediaTime: ms / 1000, expectedDisplayTime: 0, width, height },
        repaint,
      ),
    );
  }

  /** What was under way when the drawing ended fails, and nobody needs it. */
  private untilDestroyed(work: Promise<void>): Promise<void> {
    return work.catch((error: unknown) => {
      if (!this.isDestroyed) throw error;
    });
  }

  destroy(): void {
    this.isDestroyed = true;
    this.library.ready = this.ready;
    void this.library.destroy().catch(() => undefined);
  }
}

function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(t("drawingFailed"))), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
