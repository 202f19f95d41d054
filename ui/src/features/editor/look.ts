/** Italics, bold and underlining of words, and the place of lines. */
import { t } from "../../platform/messages/processing";
import type { BulkChange } from "../../domain/captions/model/commands";
import { wordSpans } from "../../domain/captions/model/text";
import type { Line, LinePlace, WordStyle } from "../../domain/captions/types";

/** Nine places, as on a numeric keypad, from the top left. */
export const PLACES = [7, 8, 9, 4, 5, 6, 1, 2, 3] as const;

/** At the bottom centre a line has no place. */
export const placeOf = (align: number): LinePlace | null =>
  align === 2 ? null : { align, x: null, y: null };

/** A part of a line's text, in UTF-16 units. */
export interface Selection {
  from: number;
  to: number;
}

/**
 * The styles of each word of a line after a style is switched on the words of a selection, or on all words without one.
 * It goes off where all of them have it.
 */
export function toggled(
  line: Line,
  style: WordStyle,
  selection: Selection | undefined,
): WordStyle[][] {
  const spans = wordSpans(
    line.text,
    line.words.map(({ text }) => text),
  );
  const chosen = spans.map(
    ([start, stop]) => selection === undefined || touches(start, stop, selection),
  );
  // A caret between two words means the line.
  const isChosen = chosen.includes(true) ? chosen : chosen.map(() => true);
  const isOn = line.words.every(
    ({ styles }, index) => isChosen[index] !== true || (styles?.includes(style) ?? false),
  );
  return line.words.map(({ styles }, index) => {
    const own = styles ?? [];
    if (isChosen[index] !== true) return own;
    const others = own.filter((each) => each !== style);
    return isOn ? others : ORDER.filter((each) => each === style || others.includes(each));
  });
}

const ORDER: WordStyle[] = ["italic", "bold", "underline"];

const touches = (start: number, stop: number, { from, to }: Selection): boolean =>
  from === to ? start <= from && from <= stop : start < to && from < stop;

/** The change that switches a style of lines, and what the history calls it. */
export function withStyle(
  lines: Line[],
  style: WordStyle,
  selection: Selection | undefined,
): [string, BulkChange] {
  const changes = lines
    .filter(({ words }) => words.length > 0)
    .map((line) => ({ line: line.id, styles: toggled(line, style, selection) }));
  return [t("transfer.styleChanged", { style: t(`transfer.${style}`) }), { changes }];
}

/** The change that puts lines at a place, and what the history calls it. */
export function inPlace(lines: Line[], align: number): [string, BulkChange] {
  const changes = lines.map(({ id }) => ({ line: id, place: placeOf(align) }));
  return [t("transfer.placeChanged"), { changes }];
}
