import { t } from "../../../platform/messages/quality";
import { t as together } from "../../../platform/messages/editing";
import type { Editing } from "../../editor/editing";
import type { Fix, Report } from "../../../domain/captions/quality/types";
import { wordsOf } from "../spelling/words";
import type { Form } from "./forms";
import { fetchReport } from "../quality/data";
import type { LineFinding, Spot } from "./spots";

/** Lines that one change takes, as `pipelines/captions/edits/bulk.py` limits it. */
const AT_ONCE = 10_000;

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
  return editing.change(t("review.step", { from: first.from, to: first.to }), { changes }) ===
    undefined
    ? 0
    : count;
}

/** Apply a fix to its line, or every safe fix of its rule, as one step. Returns how many lines changed. */
export async function fixFindings(
  editing: Editing,
  slug: string,
  { rule, line, title }: LineFinding,
  all: boolean,
): Promise<number> {
  if (!(await editing.store.settled())) throw new Error(together("together.notSaved"));
  // The captions may have changed since the findings on the page were made.
  const { language } = editing.store.get().captions;
  const report = await fetchReport(slug, language, rule);
  const fix = report.findings.find((one) => one.rule === rule && one.lines[0] === line)?.fix;
  const { changes, removed } = all ? report : oneFix(fix);
  const count = changes.length + removed.length;
  const some = { changes: changes.slice(0, AT_ONCE), removed: removed.slice(0, AT_ONCE) };
  if (count === 0 || editing.change(t("review.fixStep", { title }), some) === undefined) return 0;
  return count;
}

const oneFix = (fix: Fix | null | undefined): Pick<Report, "changes" | "removed"> => {
  if (fix == null) return { changes: [], removed: [] };
  if (fix.removes) return { changes: [], removed: [fix.line] };
  const { line, content, start, end } = fix;
  return { changes: [{ line, content, start, end }], removed: [] };
};

/** How often each word stands in the captions. */
export function wordCounts(lines: readonly { text: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of lines) {
    for (const { word } of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}
