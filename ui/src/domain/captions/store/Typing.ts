/** Typed texts by line: the server strips white space that the person may still be typing after. */
import { cleanText } from "../model/text";
import type { Line } from "../types";
import type { Typed } from "./state";

export class Typing {
  all: ReadonlyMap<string, Typed> = new Map();

  write(id: string, raw: string): void {
    const clean = cleanText(raw);
    this.set(id, { raw, clean });
  }

  /** The server has the text and stores it as `saved`. */
  confirm(id: string, raw: string, saved: string): void {
    if (this.all.get(id)?.raw === raw) this.set(id, { raw, clean: saved });
  }

  refuse(line: Line, raw: string, problem: string): void {
    this.set(line.id, { raw, clean: line.text, problem });
  }

  /** The box shows the line's text, unless a refused text is still to be corrected. */
  leave(id: string): void {
    if (this.all.get(id)?.problem === undefined) this.forget([id]);
  }

  forget(ids: string[]): void {
    if (!ids.some((id) => this.all.has(id))) return;
    const next = new Map(this.all);
    for (const id of ids) next.delete(id);
    this.all = next;
  }

  restore(refused: [string, Typed][]): void {
    this.all = new Map([...this.all, ...refused]);
  }

  refused(): [string, Typed][] {
    return [...this.all].filter(([, typed]) => typed.problem !== undefined);
  }

  private set(id: string, typed: Typed): void {
    this.all = new Map(this.all).set(id, typed);
  }
}
