import { messages } from "../messages";

/** The spelling check: its panel and the menu of a word. */
export const t = messages("spelling", {
  check: "Check spelling",
  checkHint: "Underlines words that the dictionary of the captions’ language does not have.",
  also: "Further dictionaries",
  alsoHint: "Their words are right too: for captions in which people use several languages.",
  loading: "Loading the dictionary…",
  missing: "There is no dictionary for {language}. Your browser’s own check stays on.",
  failed:
    "The dictionary could not be loaded. Check your connection, then turn the check off and on.",
  count: "{count, plural, =0 {No unknown words} one {# unknown word} other {# unknown words}}",
  times: "{count, plural, one {# time} other {# times}}",
  show: "Show “{word}” in its line",
  ignore: "Ignore",
  addMine: "Add to my words",
  addTeam: "Add to the team’s words",
  suggestions: "Suggestions for “{word}”",
  noSuggestion: "No suggestion",
  asking: "Looking for suggestions…",
  menuKey: "Suggestions in a line: {key}, or the right mouse button.",
  myWords: "Words you added",
  noWords: "Words that you add are listed here. They are never underlined.",
  ofTeam: "team",
  remove: "Remove “{word}”",
  more: "{count, plural, one {and # more word} other {and # more words}}",
});
