/**
 * Runs one task after the other, and waits after a temporary failure.
 *
 *     idle ──task──▶ busy ──done──▶ busy (next task) or idle
 *                     │
 *                     └─cannot be reached, signed out──▶ waiting ──time, "Try again", online──▶ busy
 *
 * A task handles its own refusal; the next one follows.
 */
import { afterFailure, type Failure } from "./failure";

export const RETRY_MS = [2_000, 5_000, 10_000, 30_000];

export interface Task {
  run: () => Promise<void>;
  /** True if the task handled the failure: then the next one follows at once. */
  failed: (failure: Failure) => boolean;
}

export type Phase = { kind: "idle" } | { kind: "busy" } | { kind: "waiting"; failure: Failure };

export class Sender {
  phase: Phase = { kind: "idle" };
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly next: () => Task | undefined,
    private readonly onPhase: () => void,
  ) {}

  /** There may be a task to run. */
  wake(): void {
    if (this.phase.kind === "idle") void this.work();
  }

  /** Retry what failed, without waiting. */
  retry(): void {
    clearTimeout(this.timer);
    if (this.phase.kind === "waiting") this.phase = { kind: "idle" };
    this.wake();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private async work(): Promise<void> {
    for (let task = this.next(); task !== undefined; task = this.next()) {
      this.enter({ kind: "busy" });
      try {
        await task.run();
        this.failures = 0;
      } catch (error) {
        const failure = afterFailure(error);
        if (!task.failed(failure)) {
          this.wait(failure);
          return;
        }
      }
    }
    this.enter({ kind: "idle" });
  }

  private wait(failure: Failure): void {
    const delay = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)];
    this.failures += 1;
    if (failure.kind === "wait" && failure.again) {
      this.timer = setTimeout(() => this.retry(), delay);
    }
    this.enter({ kind: "waiting", failure });
  }

  private enter(phase: Phase): void {
    this.phase = phase;
    this.onPhase();
  }
}
