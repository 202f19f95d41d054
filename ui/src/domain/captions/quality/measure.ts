/** How much text a reader reads, by the rule of `pipelines/captions/texts/measure.py`. */

const TAG = /<\/?[A-Za-z][^<>]{0,40}>|\{\\[^{}]{0,40}\}/gu;
const UNSEEN = /^[\p{Mn}\p{Me}\p{Mc}\p{Cf}]$/u;
// Vowels and finals of Hangul written in parts, Thai and Lao am, half-width voice marks.
const PART = /^[\u1160-\u11ff\ud7b0-\ud7fb\u0e33\u0eb3\uff9e\uff9f]$/u;
const JOINER = "\u200d";
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u;
const SKIN = /^[\u{1f3fb}-\u{1f3ff}]$/u;
const FLAG = /^[\u{1f1e6}-\u{1f1ff}]$/u;
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
