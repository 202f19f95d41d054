import { t } from "../../platform/messages/processing";
import type { Group, Item } from "./languages";

/** What a screen reader announces during a search: how many names match, and which one Enter chooses. */
export function foundWords(options: readonly (Item | Group)[], search: string): string {
  const wanted = search.trim().toLowerCase();
  const found = options
    .flatMap((option) => ("items" in option ? option.items : [option]))
    .filter(({ label }) => label.toLowerCase().includes(wanted));
  const first = found.find(({ disabled }) => disabled !== true);
  if (found.length === 0) return t("languages.none");
  const count = t("languages.found", { found: found.length });
  return first === undefined
    ? t("languages.unsupported", { count })
    : t("languages.pressEnter", { count, firstLabel: first.label });
}

/**
 * What the text of a search box means. The box shows the label of the choice; text typed after that label is a new
 * search, not a longer name.
 */
export function searchedFor(text: string, chosen: string): string {
  const typedOn = chosen !== "" && text.length > chosen.length && text.startsWith(chosen);
  return typedOn ? text.slice(chosen.length).trimStart() : text;
}
