/** The findings in the open captions. Rows, the panel and the keys subscribe to them. */
import type { EditorStore } from "../../domain/captions/store/EditorStore";
import { besideInLane } from "../../domain/captions/lanes";
import { whenIdle } from "./idle";
import type { Line } from "../../domain/captions/types";
import { findAt } from "../../domain/captions/quality/rules";
import type { Circumstances, Finding, Following } from "../../domain/captions/quality/types";

/** After a change it waits this long for another one: a keystroke judges its own row alone. */
const QUIET_MS = 250;

export interface QualityState {
  /** Undefined until the profile has loaded. */
  about: Circumstances | undefined;
  findings: readonly Finding[];
  /** The ids of the lines that have findings. */
  lines: ReadonlySet<string>;
  /** Whether the list shows these lines alone. */
  only: boolean;
  /** What a screen reader says next. */
  said: string;
}

export class Quality {
  private state: QualityState = {
    about: undefined,
    findings: [],
    lines: new Set(),
    only: false,
    said: "",
  };
  private readonly listeners = new Set<() => void>();
  /** What was found in lines as they are. An unchanged line before an unchanged one is not judged again. */
  private known = new WeakMap<Line, { following: Following; found: Finding[] }>();
  private notNow: () => void = () => undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private judged: readonly Line[] | undefined;

  constructor(private readonly store: EditorStore) {
    store.subscribe(() => {
      if (this.state.about === undefined || this.judged === store.get().captions.lines) return;
      clearTimeout(this.timer);
      this.notNow();
      this.timer = setTimeout(() => (this.notNow = whenIdle(() => this.look())), QUIET_MS);
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly get = (): QualityState => this.state;

  readonly getAbout = (): Circumstances | undefined => this.state.about;

  set(change: Partial<Pick<QualityState, "only" | "said">>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }

  /** Judge by these limits from now on. */
  judgeBy(about: Circumstances | undefined): void {
    if (about === this.state.about) return;
    this.known = new WeakMap();
    this.state = { ...this.state, about };
    this.look();
  }

  /** What is wrong with one line as it is now. */
  at(line: Line, following: Following): readonly Finding[] {
    const { about } = this.state;
    if (about === undefined) return [];
    const known = this.known.get(line);
    if (known !== undefined && isSame(known.following, following)) return known.found;
    const found = findAt(line, following, about);
    this.known.set(line, { following, found });
    return found;
  }

  /** Judge all lines now. */
  look(): void {
    clearTimeout(this.timer);
    this.notNow();
    const { lines } = this.store.get().captions;
    this.judged = lines;
    const findings = lines.flatMap((line, index) => this.at(line, besideInLane(lines, index, 1)));
    this.state = {
      ...this.state,
      findings,
      lines: new Set(findings.map(({ lines: [id] }) => id ?? "")),
    };
    this.set({});
  }
}

const isSame = (a: Following, b: Following): boolean =>
  a?.id === b?.id && a?.start_ms === b?.start_ms;

const opened = new WeakMap<EditorStore, Quality>();

/** The one of an open track. */
export function qualityOf(store: EditorStore): Quality {
  const known = opened.get(store);
  if (known !== undefined) return known;
  const made = new Quality(store);
  opened.set(store, made);
  return made;
}
