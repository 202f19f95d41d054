/** Other forms of a word, so that correcting `Husavik` can correct `Husavikur` too. */
export interface Form {
  from: string;
  to: string;
  count: number;
}

const STEM_MIN = 4;
const ENDING_MAX = 4;

/** The words of a text that are forms of a wrong one, each with its own correction; the word itself comes first. */
export function formsOf(wrong: string, right: string, words: ReadonlyMap<string, number>): Form[] {
  const same: Form = { from: wrong, to: right, count: words.get(wrong) ?? 0 };
  const ending = commonEnding(wrong, right);
  const stem = wrong.slice(0, wrong.length - ending);
  const rightStem = right.slice(0, right.length - ending);
  if (stem.length < STEM_MIN || /\s/.test(wrong)) return [same];
  const others = [...words]
    .filter(([word]) => {
      const rest = word.length - stem.length;
      return (
        word !== wrong && word !== right && word.startsWith(stem) && rest <= ending + ENDING_MAX
      );
    })
    .map(([from, count]) => ({ from, to: rightStem + from.slice(stem.length), count }))
    .sort((a, b) => b.count - a.count || a.from.localeCompare(b.from));
  return [same, ...others];
}

/** Letters at the end of both words that are equal. */
function commonEnding(one: string, other: string): number {
  let length = 0;
  while (
    length < Math.min(one.length, other.length) &&
    one.at(-1 - length) === other.at(-1 - length)
  )
    length += 1;
  return length;
}
