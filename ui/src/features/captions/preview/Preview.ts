/** Keeps the drawn captions up to date with the lines, the style and the clock. It lives outside React. */
import { api, isAway, isRefused, unwrap, type Schemas } from "../../../platform/api/client";
import type { Editing } from "../../editor/editing";
import { whenIdle } from "../../editor/idle";
import type { CaptionStyle } from "../../editor/style/data";
import type { View } from "../../../domain/captions/store/state";
import { Drawing } from "./Drawing";
import { linesOf, windowAt, type LineWindow } from "./lineWindow";

const AFTER_CHANGE_MS = 120;
const AGAIN_AFTER_MS = 5_000;

export interface Stage {
  width: number;
  height: number;
  /** The file has neither a picture nor a cover. */
  isCard: boolean;
}

export type PreviewState =
  | { kind: "text" }
  | { kind: "drawn"; missing: string[] }
  | { kind: "failed"; reason: string };

export class Preview {
  private readonly drawing: Drawing;
  private readonly stops: (() => void)[];
  private view: View | undefined;
  private held: LineWindow | undefined;
  private sent = "";
  private running = false;
  private isStale = false;
  private timer = 0;
  private notNow: () => void = () => undefined;
  private style: CaptionStyle | undefined;

  constructor(
    canvas: HTMLCanvasElement,
    private readonly editing: Editing,
    private readonly stage: Stage,
    private readonly onState: (state: PreviewState) => void,
  ) {
    this.drawing = new Drawing(canvas, stage.width, stage.height);
    this.stops = [
      editing.store.subscribe(() => this.look()),
      editing.playback.subscribe(() => {
        this.draw();
        this.look();
      }),
    ];
  }

  setStyle(style: CaptionStyle): void {
    this.style = style;
    this.change(0);
  }

  stop(): void {
    this.callOff();
    this.stops.forEach((stop) => stop());
    this.drawing.destroy();
  }

  private draw(): void {
    void this.drawing.draw(this.editing.playback.nowMs).catch(() => undefined);
  }

  /** Cheap: called for each key press and frame. */
  private look(): void {
    const view = this.editing.store.get();
    const { lines } = view.captions;
    const isChanged = lines !== this.view?.captions.lines || view.typed !== this.view.typed;
    const next = windowAt(lines, this.editing.playback.nowMs, isChanged ? undefined : this.held);
    if (!isChanged && next === this.held) return;
    this.view = view;
    const isMoved = this.held === undefined || next.from !== this.held.from;
    this.held = next;
    this.change(isMoved && !isChanged ? 0 : AFTER_CHANGE_MS);
  }

  private change(wait: number): void {
    this.callOff();
    this.timer = window.setTimeout(() => {
      this.notNow = whenIdle(() => void this.refresh());
    }, wait);
  }

  private callOff(): void {
    clearTimeout(this.timer);
    this.notNow();
  }

  private async refresh(): Promise<void> {
    if (this.style === undefined) return;
    if (this.running) {
      this.isStale = true;
      return;
    }
    this.view = this.editing.store.get();
    this.held = windowAt(this.view.captions.lines, this.editing.playback.nowMs);
    const { width, height, isCard } = this.stage;
    const body: Schemas["ScriptRequest"] = {
      ...{ style: this.style, width, height, is_card: isCard },
      lines: linesOf(this.view, this.held),
    };
    const text = JSON.stringify(body);
    if (text === this.sent) return;
    this.running = true;
    try {
      const { data } = await unwrap(api.POST("/api/caption-styles/script", { body }));
      await this.drawing.show(
        data.ass,
        data.fonts.flatMap(({ urls }) => urls),
      );
      this.draw();
      this.sent = text;
      this.onState({ kind: "drawn", missing: data.missing });
    } catch (error) {
      // Without a network the page says so already, and the browser is not at fault.
      this.onState(
        isAway(error) ? { kind: "text" } : { kind: "failed", reason: (error as Error).message },
      );
      // A refusal is the same the next time, so the next change asks.
      if (!isRefused(error)) this.change(AGAIN_AFTER_MS);
    } finally {
      this.running = false;
      if (this.isStale) {
        this.isStale = false;
        this.change(0);
      }
    }
  }
}
