/** How much text a reader reads, by the rule of `pipelines/captions/texts/measure.py` and the same kinds of characters. */
import characters from "../../../../../pipelines/captions/texts/characters.json";

const oneOf = (ranges: string[]) => {
  const parts = ranges.map((range) => range.replaceAll(/[0-9a-f]+/g, "\\u{$&}"));
  return new RegExp(`^[${parts.join("")}]$`, "u");
};

const TAG = new RegExp(characters.tag, "gu");
const UNSEEN = /^[\p{Mn}\p{Me}\p{Mc}\p{Cf}]$/u;
const PART = oneOf(characters.parts);
const JOINER = "\u200d";
const WIDE = oneOf(characters.wide);
const SKIN = oneOf(characters.skin);
const FLAG = oneOf(characters.flag);
const SIMPLE = /^[\x00-\x7f]*$/;

/** The length of a text in half characters: 2 for each grapheme, or 1 for a narrow one where `countsHalf`. */
export function halfWidths(text: string, countsHalf: boolean): number {
  if (!countsHalf && SIMPLE.test(text) && !/[<{]/.test(text))
    return 2 * text.replaceAll("\n", "").length;
  let total = 0;
  let before = "";
  let inFlag = false;
  for (const character of text.replace(TAG, "")) {
    const isFlag = FLAG.test(character);
    const attached =
      before === JOINER ||
      SKIN.test(character) ||
      (isFlag && inFlag) ||
      UNSEEN.test(character) ||
      PART.test(character);
    inFlag = isFlag && !inFlag;
    before = character;
    if (attached || character === "\n") continue;
    total += countsHalf && !WIDE.test(character) ? 1 : 2;
  }
  return total;
}
