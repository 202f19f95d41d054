/** What is searched for in the open captions. Rows and the panel subscribe to it. */
import type { Editing } from "../../editor/editing";
import type { Line } from "../../../domain/captions/types";
import { makeMatcher, type Match, type Matcher, type SearchTerms } from "./matcher";

export interface Found extends Match {
  line: string;
}

export interface SearchState {
  terms: SearchTerms;
  replacement: string;
  /** Null while there is nothing to search for. */
  matcher: Matcher | null;
  /** Why the pattern cannot be used. */
  problem: string | null;
  /** The numbers of the first and the last line to search, from 1; null for all. */
  range: readonly [number, number] | null;
  /** The ids of the lines to search; null for all. */
  only: ReadonlySet<string> | null;
  /** The match that the person is at. */
  current: Found | null;
}

const NOTHING: SearchTerms = { query: "", matchCase: false, wholeWord: false, isPattern: false };

export class Search {
  private state: SearchState = {
    terms: NOTHING,
    replacement: "",
    matcher: null,
    problem: null,
    range: null,
    only: null,
    current: null,
  };
  private readonly listeners = new Set<() => void>();
  /** Matches of lines as they were searched last: an unchanged line is not searched again. */
  private known = new WeakMap<Line, Match[]>();
  private asked = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly get = (): SearchState => this.state;

  readonly getMatcher = (): Matcher | null => this.state.matcher;

  readonly getCurrent = (): Found | null => this.state.current;

  set(change: Partial<Pick<SearchState, "replacement" | "range" | "only" | "current">>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }

  /** New terms. The matches follow at once, or after the pattern library has loaded. */
  async look(change: Partial<SearchTerms>): Promise<void> {
    const asked = ++this.asked;
    const terms = { ...this.state.terms, ...change };
    this.state = { ...this.state, terms };
    this.set({});
    let made: Pick<SearchState, "matcher" | "problem">;
    try {
      made = { matcher: await makeMatcher(terms), problem: null };
    } catch (error) {
      made = { matcher: null, problem: (error as Error).message };
    }
    // Somebody typed on while it loaded.
    if (asked !== this.asked) return;
    this.known = new WeakMap();
    this.state = { ...this.state, ...made };
    this.set({ current: null });
  }

  /** Stop marking matches; the terms stay for the next opening. */
  rest(): void {
    this.asked += 1;
    this.state = { ...this.state, matcher: null, problem: null };
    this.set({ current: null });
  }

  /** All matches in the searched lines, in order. */
  in(lines: readonly Line[]): Found[] {
    return this.linesIn(lines).flatMap((line) =>
      this.ofLine(line).map((match) => ({ ...match, line: line.id })),
    );
  }

  /** The lines that are searched. */
  linesIn(lines: readonly Line[]): readonly Line[] {
    const { range, only } = this.state;
    const within = range === null ? lines : lines.slice(range[0] - 1, range[1]);
    return only === null ? within : within.filter(({ id }) => only.has(id));
  }

  ofLine(line: Line): Match[] {
    const { matcher } = this.state;
    if (matcher === null) return [];
    const known = this.known.get(line);
    if (known !== undefined) return known;
    const found = matcher(line.text);
    this.known.set(line, found);
    return found;
  }
}

const searches = new WeakMap<Editing, Search>();

/** The search of an open editor. */
export function searchOf(editing: Editing): Search {
  let search = searches.get(editing);
  if (search === undefined) searches.set(editing, (search = new Search()));
  return search;
}
