import { messages } from "../messages";

/** What the glossary learns from corrections, and the words that spelling accepts. */
export const t = messages("learned", {
  suggestions: "Learned from corrections",
  why: "People corrected these words in the same way more than once.",
  pair: "“{wrong}” → “{right}”",
  times: "corrected {times, plural, one {# time} other {# times}}",
  accept: "Add “{right}” to the glossary",
  add: "Add",
  dismiss: "Dismiss",
  dismissOne: "Dismiss “{right}”",
  use: "used {used, plural, one {# time} other {# times}}",
  useAtLeast: "used at least {used, plural, one {# time} other {# times}}",
  corrected: ", corrected {corrected, number} since added",
  words: "Words that spelling accepts",
  remove: "Remove “{word}”",
  ofTeam: "team",
});
