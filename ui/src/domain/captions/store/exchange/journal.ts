/** Unconfirmed commands of one track, kept in the browser, so that a crash or a closed tab loses nothing. */
import type { Command } from "../../model/commands";
import type { Captions, Line } from "../../types";
import { writtenIn, type Written } from "../../unsavedText";
import type { Optimistic, Entry } from "./Optimistic";
import type { Conflict, Typed } from "../state";

export type Span = readonly [start_ms: number, end_ms: number];

export interface JournalEntry {
  command: Command;
  /** Sent at least once, so the server may have saved it. */
  sent: boolean;
}

export interface Journalled {
  /** The revision that the first command was based on. */
  revision: number;
  /** The texts of the touched lines on the server at that revision. */
  texts: Record<string, string>;
  /** Where these lines began and ended, in milliseconds. Journals of earlier versions do not have it. */
  spans?: Record<string, Span>;
  queue: JournalEntry[];
  conflicts: Conflict[];
  /** Texts that the server refused and that are not corrected yet. */
  refused: [string, Typed][];
}

export interface Journal {
  /** What an earlier page left. Each call returns another one; undefined when there is none. */
  read: () => Journalled | undefined;
  /** `journalled` is undefined when everything is saved; `server` are the captions without it. */
  write: (journalled: Journalled | undefined, server: Captions) => void;
}

type Refused = readonly [string, Typed][];

/** What to keep of the state of an exchange; undefined when all is saved. */
export function journalOf(
  { queue, base, captions }: Optimistic,
  refused: Refused,
  {
    conflicts,
    recovered,
    spans,
  }: {
    conflicts: Conflict[];
    recovered: ReadonlyMap<string, string> | undefined;
    spans: ReadonlyMap<string, Span>;
  },
): Journalled | undefined {
  if (queue.length + refused.length + conflicts.length === 0) return undefined;
  const touched = linesIn(base.lines, touchedBy(queue, refused));
  return {
    revision: captions.revision,
    texts: Object.fromEntries(recovered ?? textsById(touched)),
    spans: Object.fromEntries([...spans, ...spansById(touched)]),
    queue: queue.map(({ command, sent }) => ({ command, sent })),
    conflicts,
    refused: [...refused],
  };
}

/** The texts that the person wrote and that are not saved. */
export function writtenBy(
  { queue, model }: Pick<Optimistic, "queue" | "model">,
  refused: Refused,
  conflicts: readonly Conflict[],
): Written[] {
  const starts = new Map(model.lines.map(({ id, start_ms }) => [id, start_ms]));
  const commands = queue.map(({ command }) => command);
  return [
    ...writtenIn(commands, model.lines),
    ...conflicts.map(({ ids, start_ms, mine }) => ({ line: ids[0] ?? "", start_ms, text: mine })),
    ...refused.map(([line, { raw }]) => ({ line, start_ms: starts.get(line), text: raw })),
  ];
}

/** The lines that unsaved commands and refused texts are about. */
export const touchedBy = (queue: readonly Entry[], refused: Refused): Set<string> =>
  new Set([...queue.flatMap(({ touched }) => touched), ...refused.map(([id]) => id)]);

export const linesIn = (lines: readonly Line[], ids: ReadonlySet<string>): Line[] =>
  lines.filter(({ id }) => ids.has(id));

/** The texts of lines by their ids. */
export const textsById = (lines: readonly Line[]): Map<string, string> =>
  new Map(lines.map(({ id, text }) => [id, text]));

/** Where lines begin and end, by their ids. */
export const spansById = (lines: readonly Line[]): Map<string, Span> =>
  new Map(lines.map(({ id, start_ms, end_ms }): [string, Span] => [id, [start_ms, end_ms]]));
