/**
 * The other people in the captions that this page has open, and where they are. Messages may be lost: each page says
 * every `TELL_EVERY_MS` where it is, and one that is silent for `GONE_AFTER_MS` is gone.
 */
import type { PresenceMessage } from "./presence";

export const TELL_EVERY_MS = 12_000;
export const GONE_AFTER_MS = 35_000;
/** Two messages of one page are at least this far apart; the server allows three a second for all pages of a person. */
export const TELL_GAP_MS = 700;

export interface Person {
  page: string;
  user: string;
  name: string;
  line: string | null;
  isTyping: boolean;
}

/** Where this page is. */
export interface Place {
  line: string | null;
  isTyping: boolean;
}

export interface Message extends Place {
  isGone?: boolean;
  asks?: boolean;
}

const NOBODY: readonly Person[] = [];

export class People {
  private all: readonly Person[] = NOBODY;
  private byLine: ReadonlyMap<string, readonly Person[]> = new Map();
  private readonly heardAt = new Map<string, number>();
  private readonly listeners = new Set<() => void>();
  private place: Place = { line: null, isTyping: false };
  private toldAt = Number.NEGATIVE_INFINITY;
  private later: ReturnType<typeof setTimeout> | undefined;
  private beat: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly page: string,
    private readonly user: string,
    private readonly send: (message: Message) => void,
    private readonly now: () => number = Date.now,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly get = (): readonly Person[] => this.all;

  /** Who is on a line; the same array until that changes. */
  readonly on = (line: string): readonly Person[] => this.byLine.get(line) ?? NOBODY;

  start(): void {
    this.tell({ ...this.place, asks: true });
    this.beat = setInterval(() => {
      this.forgetSilent();
      this.tell(this.place);
    }, TELL_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.beat);
    clearTimeout(this.later);
    this.later = undefined;
    this.send({ ...this.place, isGone: true });
    this.set(NOBODY);
  }

  /** This page is somewhere else now. */
  move(place: Place): void {
    if (place.line === this.place.line && place.isTyping === this.place.isTyping) return;
    this.place = place;
    const wait = this.toldAt + TELL_GAP_MS - this.now();
    if (wait <= 0) this.tell(place);
    else this.later ??= setTimeout(() => this.tell(this.place), wait);
  }

  hear({ page, user, name, line, is_typing, is_gone, asks }: PresenceMessage): void {
    // Other windows of the same person need no warning.
    if (page === this.page || user === this.user) return;
    this.heardAt.set(page, this.now());
    const others = this.all.filter((one) => one.page !== page);
    const held = this.all.find((one) => one.page === page);
    const person: Person = { page, user, name, line: line ?? null, isTyping: is_typing };
    if (is_gone) this.set(others);
    else if (held === undefined || !same(held, person)) {
      this.set([...others, person].sort((a, b) => (a.page < b.page ? -1 : 1)));
    }
    if (asks && !is_gone) this.tell(this.place);
  }

  /** Somebody may have lost sight of the captions: those who are still there answer at once. */
  askAgain(): void {
    this.set(NOBODY);
    this.tell({ ...this.place, asks: true });
  }

  private forgetSilent(): void {
    const oldest = this.now() - GONE_AFTER_MS;
    const left = this.all.filter(({ page }) => (this.heardAt.get(page) ?? 0) > oldest);
    if (left.length < this.all.length) this.set(left);
  }

  private tell(message: Message): void {
    clearTimeout(this.later);
    this.later = undefined;
    this.toldAt = this.now();
    this.send(message);
  }

  private set(all: readonly Person[]): void {
    if (all.length === 0 && this.all.length === 0) return;
    this.all = all;
    const byLine = new Map<string, Person[]>();
    for (const person of all) {
      if (person.line !== null)
        byLine.set(person.line, [...(byLine.get(person.line) ?? []), person]);
    }
    const before = this.byLine;
    this.byLine = new Map(
      [...byLine].map(([line, people]) => {
        const held = before.get(line);
        const isSame =
          held?.length === people.length && held.every((one, at) => one === people[at]);
        return [line, isSame ? held : people];
      }),
    );
    for (const listener of this.listeners) listener();
  }
}

const same = (a: Person, b: Person): boolean =>
  a.line === b.line && a.isTyping === b.isTyping && a.name === b.name;

/** A colour of the palette for a person, the same in every browser. */
export const colourOf = ({ user }: Pick<Person, "user">): number =>
  [...user].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7) % 10;

export const initialsOf = (name: string): string =>
  name
    .split(/\s+/u)
    .filter((part) => part !== "")
    .map((part) => [...part][0] ?? "")
    .slice(0, 2)
    .join("")
    .toUpperCase();
