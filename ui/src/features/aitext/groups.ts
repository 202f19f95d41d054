/** The blocks of a text as the page lays them out: list items that follow each other form a list. */
import type { Block } from "./data";

export type Group =
  | { kind: "block"; id: string; block: Block }
  | { kind: "list"; id: string; items: Block[] };

const IN_LISTS = new Set<Block["kind"]>(["bullet", "decision", "action"]);

export function groupsOf(blocks: readonly Block[]): Group[] {
  const groups: Group[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (!IN_LISTS.has(block.kind)) groups.push({ kind: "block", id: block.id, block });
    else if (last?.kind === "list") last.items.push(block);
    else groups.push({ kind: "list", id: block.id, items: [block] });
  }
  return groups;
}
