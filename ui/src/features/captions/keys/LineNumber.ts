/** A number typed in the list goes to the line with that number: with Enter at once, otherwise after a moment. */
export const WAIT_MS = 1_200;

export class LineNumber {
  private digits = "";
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** A number has begun, so that the next digit belongs to it. */
  get isOpen(): boolean {
    return this.digits !== "";
  }

  constructor(private readonly go: (number: number) => void) {}

  /** Take a key. False if it does not belong to a number. */
  press(key: string): boolean {
    if (/^\d$/.test(key) && !(key === "0" && this.digits === "")) {
      this.digits = `${this.digits}${key}`.slice(0, 6);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.finish(), WAIT_MS);
      return true;
    }
    if (this.digits === "") return false;
    if (key === "Enter") this.finish();
    else this.stop();
    return key === "Enter" || key === "Escape";
  }

  stop(): void {
    clearTimeout(this.timer);
    this.digits = "";
  }

  private finish(): void {
    const number = Number(this.digits);
    this.stop();
    this.go(number);
  }
}
