/**
 * What a person means by what a search box holds. A box shows the label of what is chosen; text typed after that label
 * is a new search and not a longer name.
 */
export function searchedFor(text: string, chosen: string): string {
  const typedOn = chosen !== "" && text.length > chosen.length && text.startsWith(chosen);
  return typedOn ? text.slice(chosen.length).trimStart() : text;
}
