/** Time left, from the average speed since bytes began to move. Bytes of an earlier session do not count. */
export class SpeedMeter {
  private readonly starts = new Map<string, { at: number; bytes: number }>();

  begin(id: string, bytes: number, now = Date.now()): void {
    if (!this.starts.has(id)) this.starts.set(id, { at: now, bytes });
  }

  /** After a pause or an error, the average starts over. */
  forget(id: string): void {
    this.starts.delete(id);
  }

  /** Seconds left; undefined while there is too little data. */
  left(id: string, bytes: number, total: number, now = Date.now()): number | undefined {
    const start = this.starts.get(id);
    if (start === undefined || bytes <= start.bytes || bytes >= total) return undefined;
    const seconds = (now - start.at) / 1000;
    if (seconds < 1) return undefined;
    return (seconds * (total - bytes)) / (bytes - start.bytes);
  }
}
