/** Pauses or slows playback while somebody types, and goes on when they stop. */
import type { Line } from "../../../domain/captions/types";
import type { EditorSettings } from "../../editor/useEditorSettings";
import type { Playback } from "../../editor/playback/Playback";

export type TypingSettings = Pick<
  EditorSettings,
  "pause_while_typing" | "pause_after_ms" | "resume_after_ms" | "resume_at" | "resume_back_ms"
>;

const SLOW = 0.5;

export class TypingPause {
  settings: TypingSettings | undefined;
  private began: number | undefined;
  private held: { at: number; rate: number; line: Line | undefined } | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly playback: Playback,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A letter was typed in a line. */
  type(line: Line | undefined): void {
    const { settings, playback } = this;
    if (settings === undefined || settings.pause_while_typing === "off") return;
    if (this.held === undefined && !playback.playing) return;
    this.began ??= this.now();
    if (this.held === undefined && this.now() - this.began >= settings.pause_after_ms) {
      this.held = { at: playback.nowMs, rate: playback.rate, line };
      if (settings.pause_while_typing === "pause") playback.pause();
      else playback.setRate(playback.rate * SLOW);
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.rest(), settings.resume_after_ms);
  }

  stop(): void {
    clearTimeout(this.timer);
    if (this.held !== undefined && this.settings?.pause_while_typing === "slow")
      this.playback.setRate(this.held.rate);
    this.began = this.held = undefined;
  }

  private rest(): void {
    const { settings, playback, held } = this;
    this.began = this.held = undefined;
    if (held === undefined || settings === undefined) return;
    if (settings.pause_while_typing === "slow") {
      playback.setRate(held.rate);
      return;
    }
    // The person has started it themselves, or has gone elsewhere.
    if (playback.playing || Math.abs(playback.nowMs - held.at) > 1_000) return;
    const places: Record<EditorSettings["resume_at"], number> = {
      stopped: held.at,
      before: held.line?.start_ms ?? held.at,
      after: held.line?.end_ms ?? held.at,
      back: held.at - settings.resume_back_ms,
    };
    playback.seek(places[settings.resume_at]);
    playback.play();
  }
}
