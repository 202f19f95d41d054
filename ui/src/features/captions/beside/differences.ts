/** What changed between two versions of a text, word by word. */
export interface Part {
  kind: "same" | "gone" | "new";
  text: string;
}

/** Captions are far shorter. Beyond this many words the texts are compared as wholes: the table grows with the square. */
const WORDS_MAX = 400;

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
const wordsOf = (text: string): string[] =>
  [...segmenter.segment(text.replaceAll(SPACES, asOne).trim())].map(({ segment }) => segment);

/** Rows stay: where they break is part of a caption. */
const SPACES = /\s+/g;
const asOne = (space: string): string => (space.includes("\n") ? "\n" : " ");

/** The parts of both texts in order, by the longest common subsequence of their words. */
export function differences(old: string, now: string): Part[] {
  const [a, b] = [wordsOf(old), wordsOf(now)];
  if (a.length > WORDS_MAX || b.length > WORDS_MAX) {
    return joined([
      { kind: "gone", text: old },
      { kind: "new", text: now },
    ]);
  }
  const longest = table(a, b);
  const parts: Part[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left = "", right = ""] = [a[i], b[j]];
    if (i < a.length && j < b.length && left === right) {
      parts.push({ kind: "same", text: left });
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && at(longest, i + 1, j) >= at(longest, i, j + 1))) {
      parts.push({ kind: "gone", text: left });
      i += 1;
    } else {
      parts.push({ kind: "new", text: right });
      j += 1;
    }
  }
  return joined(parts);
}

const at = (rows: number[][], i: number, j: number): number => rows[i]?.[j] ?? 0;

/** The length of the longest common subsequence of `a` from `i` and `b` from `j` on. */
function table(a: string[], b: string[]): number[][] {
  const rows = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row = rows[i] ?? [];
    for (let j = b.length - 1; j >= 0; j -= 1) {
      row[j] =
        a[i] === b[j]
          ? at(rows, i + 1, j + 1) + 1
          : Math.max(at(rows, i + 1, j), at(rows, i, j + 1));
    }
  }
  return rows;
}

/** Neighbours of one kind as one part; a space between two changes belongs to both of them. */
function joined(parts: Part[]): Part[] {
  const result: Part[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (last?.kind === part.kind) last.text += part.text;
    else if (part.text !== "") result.push({ ...part });
  }
  return result;
}
