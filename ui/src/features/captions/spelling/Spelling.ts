/** The spelling check of the open captions. Rows ask for the wrong words of their text; verdicts of words are kept. */
import type { Editing } from "../../editor/editing";
import type { Range } from "../../../domain/captions/marks";
import type { FromWorker, ToWorker } from "./messages";
import { wordsOf } from "./words";

/** A worker, or what stands for one in a test. */
export interface Checker {
  postMessage: (message: ToWorker) => void;
  terminate: () => void;
}
export type MakeChecker = (onMessage: (message: FromWorker) => void) => Checker;

export type SpellingState =
  /** Nobody has needed it yet, or the person turned it off. */
  | "off"
  | "loading"
  | "ready"
  /** There is no dictionary for this language. */
  | "missing"
  | "failed";

const NONE: readonly Range[] = [];
/** Words of one message to the worker: checking them takes some milliseconds. */
const BATCH = 500;

export class Spelling {
  private state: SpellingState = "off";
  private wanted = "";
  private checker: Checker | undefined;
  private readonly verdicts = new Map<string, boolean>();
  private known: ReadonlySet<string> = new Set();
  private readonly ignored = new Set<string>();
  private waiting = new Set<string>();
  private isQueued = false;
  private readonly asked = new Map<number, (words: string[]) => void>();
  private nextId = 0;
  private version = 0;
  private marks = 0;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly make: MakeChecker) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Rises whenever other words of a text may be wrong. Words that turn out to be right change nothing there. */
  readonly getMarks = (): number => this.marks;

  /** Rises whenever a text may be judged differently, or more is known of it. */
  readonly getVersion = (): number => this.version;

  readonly getState = (): SpellingState => this.state;

  /** Load the dictionary of a language, and others by name. Does nothing if they are loaded or loading. */
  start(language: string, also: readonly string[] = []): void {
    const wanted = [language, ...also].join(" ");
    if (this.wanted === wanted && this.state !== "off") return;
    this.stop();
    this.wanted = wanted;
    this.state = "loading";
    this.checker = this.make((message) => this.receive(message));
    this.checker.postMessage({ kind: "load", language, also });
    this.changed();
  }

  stop(): void {
    this.checker?.terminate();
    this.checker = undefined;
    this.verdicts.clear();
    this.waiting.clear();
    for (const resolve of this.asked.values()) resolve([]);
    this.asked.clear();
    this.state = "off";
    this.changed();
  }

  /** Words that are right because a person, a team or the glossary says so. */
  accept(words: Iterable<string>): void {
    this.known = new Set(
      [...words].flatMap((text) => [text, ...wordsOf(text).map((one) => one.word)]),
    );
    this.changed();
  }

  /** Accept a word until the page is left. */
  ignore(word: string): void {
    this.ignored.add(word);
    this.changed();
  }

  /** Where the wrong words of a text are. Words that were not judged yet are sent to the worker. */
  wrongIn(text: string): readonly Range[] {
    if (this.state !== "ready") return NONE;
    const wrong = wordsOf(text).filter(({ word }) => this.isWrong(word));
    return wrong.length === 0 ? NONE : wrong;
  }

  /** Whether a word is wrong; false also while nobody knows yet. */
  isWrong(word: string): boolean {
    if (this.state !== "ready" || this.isAccepted(word)) return false;
    const verdict = this.verdicts.get(word);
    if (verdict === undefined) this.ask(word);
    return verdict === false;
  }

  /** Whether every word that was asked about has a verdict. */
  get isSettled(): boolean {
    return this.waiting.size === 0;
  }

  suggest(word: string): Promise<string[]> {
    if (this.state !== "ready") return Promise.resolve([]);
    return new Promise((resolve) => {
      const id = ++this.nextId;
      this.asked.set(id, resolve);
      this.checker?.postMessage({ kind: "suggest", id, word });
    });
  }

  private isAccepted(word: string): boolean {
    const bare = word.replace(/['’]s$/u, "");
    return this.known.has(word) || this.known.has(bare) || this.ignored.has(word);
  }

  private ask(word: string): void {
    this.waiting.add(word);
    if (this.isQueued) return;
    this.isQueued = true;
    queueMicrotask(() => {
      this.isQueued = false;
      const words = [...this.waiting];
      for (let start = 0; start < words.length; start += BATCH) {
        this.checker?.postMessage({ kind: "check", words: words.slice(start, start + BATCH) });
      }
    });
  }

  private receive(message: FromWorker): void {
    if (message.kind === "loaded") this.state = "ready";
    else if (message.kind === "missing") this.state = message.failed ? "failed" : "missing";
    else if (message.kind === "suggested") {
      this.asked.get(message.id)?.(message.words);
      this.asked.delete(message.id);
      return;
    } else {
      const wrong = new Set(message.wrong);
      for (const word of message.words) {
        this.verdicts.set(word, !wrong.has(word));
        this.waiting.delete(word);
      }
      this.changed(wrong.size > 0);
      return;
    }
    this.changed();
  }

  private changed(isMarked = true): void {
    this.version += 1;
    if (isMarked) this.marks += 1;
    for (const listener of this.listeners) listener();
  }
}

const makeWorker: MakeChecker = (onMessage) => {
  const worker = new Worker(new URL("./spelling.worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => onMessage(data));
  worker.addEventListener("error", () => onMessage({ kind: "missing", failed: true }));
  return worker;
};

const checks = new WeakMap<Editing, Spelling>();

/** The spelling check of an open editor. */
export function spellingOf(editing: Editing): Spelling {
  let check = checks.get(editing);
  if (check === undefined) checks.set(editing, (check = new Spelling(makeWorker)));
  return check;
}
