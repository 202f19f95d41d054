import { t } from "../../../i18n/en/review";
import type { Editing } from "../editing";
import { wordsOf } from "../spelling/words";
import type { Form } from "./forms";
import type { Spot } from "./spots";

/** Correct one spot. */
export function fixSpot(editing: Editing, spot: Spot, right: string): void {
  const line = editing.store.get().captions.lines.find(({ id }) => id === spot.line);
  if (line === undefined || line.text.slice(spot.start, spot.end) !== spot.word) return;
  const content = line.text.slice(0, spot.start) + right + line.text.slice(spot.end);
  editing.store.run({ action: "Edit", line: line.id, content });
}

/** Correct every place of these words, as one step. Returns how many there were. */
export function fixForms(editing: Editing, forms: readonly Form[]): number {
  const right = new Map(forms.map(({ from, to }) => [from, to]));
  let count = 0;
  const changes = editing.store.get().captions.lines.flatMap(({ id, text }) => {
    let content = "";
    let from = 0;
    for (const { word, start, end } of wordsOf(text)) {
      const to = right.get(word);
      if (to === undefined) continue;
      content += text.slice(from, start) + to;
      from = end;
      count += 1;
    }
    return from === 0 ? [] : [{ line: id, content: content + text.slice(from) }];
  });
  const first = forms[0];
  if (changes.length === 0 || first === undefined) return 0;
  return editing.change(t("step", { from: first.from, to: first.to }), { changes }) === undefined
    ? 0
    : count;
}

/** How often each word stands in the captions. */
export function wordCounts(lines: readonly { text: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of lines) {
    for (const { word } of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}
