/** What a person does to captions, as values that can be applied here, stored in the journal and sent to the server. */
import type { Dash } from "./dialogue";
import type { CaptionEdit, LinePlace, WordStyle } from "../types";

interface Named {
  /** Names this command at the server, so that sending it again after a lost answer changes nothing. */
  id: string;
}

export interface EditCommand extends Named {
  action: "Edit";
  line: string;
  content?: string;
  start?: number;
  end?: number;
}

export interface SplitCommand extends Named {
  action: "Split";
  line: string;
  content: string;
  /** The caret in `content`, in UTF-16 units. */
  at: number;
  newLine: string;
}

export interface MergeCommand extends Named {
  action: "Merge";
  line: string;
  with: string;
  /** Two people's texts become rows that begin with it. */
  dash?: Dash;
}

export interface DeleteCommand extends Named {
  action: "Delete";
  line: string;
}

export interface AddCommand extends Named {
  action: "Add";
  newLine: string;
  start: number;
  end: number;
  content: string;
  /** Left out at the bottom centre. */
  place?: LinePlace;
}

/** New text, times in milliseconds, place, look and lock of one line. What is left out stays as it is. */
export interface LineChange {
  line: string;
  /** Null puts the line at the bottom centre. */
  place?: LinePlace | null;
  /** The styles of each word, after the new text if there is one. */
  styles?: WordStyle[][] | null;
  content?: string | null;
  start?: number | null;
  end?: number | null;
  locked?: boolean | null;
  /** Shown to people without subtitles too. */
  forced?: boolean | null;
}

export interface AddedLine {
  new_line: string;
  start: number;
  end: number;
  content?: string | null;
  place?: LinePlace | null;
}

/** Many changes that are one step of the history. Only the state after all of them must fit. */
export interface BulkChange {
  changes?: LineChange[];
  added?: AddedLine[];
  /** Ids of lines. */
  removed?: string[];
  /** Words move and stretch with their lines, as in a Shift; otherwise they stay with the sound. */
  with_words?: boolean;
}

export interface ChangeCommand extends Named, BulkChange {
  action: "Change";
  /** What the history calls it. */
  label: string;
}

export interface TravelCommand extends Named {
  action: "Undo" | "Redo";
}

export type LineCommand =
  | EditCommand
  | SplitCommand
  | MergeCommand
  | DeleteCommand
  | AddCommand
  | ChangeCommand;
export type Command = LineCommand | TravelCommand;

export const isTravel = (command: Command): command is TravelCommand =>
  command.action === "Undo" || command.action === "Redo";

/** A command without its id, as the editor asks for it. */
export type Change = Command extends infer One
  ? One extends Command
    ? Omit<One, "id">
    : never
  : never;

/** A random UUID. `crypto.randomUUID` is missing on pages that are served without TLS from another machine. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The command as a call of the server; `issued` is the newest revision this page has seen. */
export function toCall(command: Command, language: string, issued: number): CaptionEdit {
  const call = { language, issued, command: command.id };
  switch (command.action) {
    case "Edit": {
      const { action, line, content, start, end } = command;
      return { ...call, action, line, content, start, end };
    }
    case "Split": {
      const { action, line, content, at } = command;
      return { ...call, action, line, content, at, new_line: command.newLine };
    }
    case "Merge": {
      const { action, line, dash } = command;
      return { ...call, action, line, with: command.with, dash };
    }
    case "Delete":
      return { ...call, action: command.action, line: command.line };
    case "Add": {
      const { action, start, end, content, place } = command;
      return { ...call, action, start, end, content, place, new_line: command.newLine };
    }
    case "Change": {
      const { action, label, changes = [], added = [], removed = [], with_words = false } = command;
      return { ...call, action, label, changes, added, removed, with_words };
    }
    case "Undo":
    case "Redo":
      return { ...call, action: command.action };
  }
}

/** The lines that a command names or makes. */
export function linesOf(command: Command): string[] {
  switch (command.action) {
    case "Split":
      return [command.line, command.newLine];
    case "Merge":
      return [command.line, command.with];
    case "Add":
      return [command.newLine];
    case "Change":
      return [
        ...(command.changes ?? []).map(({ line }) => line),
        ...(command.added ?? []).map(({ new_line }) => new_line),
        ...(command.removed ?? []),
      ];
    case "Edit":
    case "Delete":
      return [command.line];
    case "Undo":
    case "Redo":
      return [];
  }
}

/** Whether a command changes nothing but times. */
export const isTimesOnly = (command: Command): boolean =>
  command.action === "Edit"
    ? command.content === undefined
    : command.action === "Change" &&
      (command.added ?? []).length + (command.removed ?? []).length === 0 &&
      (command.changes ?? []).every(({ content }) => content == null);
