import { messages } from "../messages";

/** Find and replace, in one file and in many. */
export const t = messages("find", {
  find: "Find",
  replaceWith: "Replace with",
  groupsHint: "$1 to $9 are groups of the pattern, $0 is the whole match.",
  matchCase: "Match case",
  wholeWords: "Whole words",
  pattern: "Regular expression",
  patternHint: "RE2 syntax",
  onlyLines: "Only in some lines",
  onlySelected: "Only in the {count, number} selected lines",
  fromLine: "From line",
  toLine: "To line",
  count: "{count, plural, =0 {No match} one {# match} other {# matches}}",
  place: "{at, number} of {count, number}",
  previous: "Previous match",
  next: "Next match",
  replace: "Replace",
  replaceAll: "Replace all",
  replaced:
    "{count, plural, one {Replaced # match.} other {Replaced # matches.}} Undo takes this back.",
  step: "Replace “{query}” with “{replacement}”",
  tooMany: "More than {limit, number} lines would change at once. Choose fewer lines.",
  tooLong: "Some lines would become too long. Use a shorter replacement.",
  inFiles: "Find and replace in files",
  inFilesHint: "Looks through the captions of your files and shows what would change first.",
  search: "Show what would change",
  nothing: "Nothing found. Check the spelling, or turn off “Match case”.",
  notWhole: "There are more captions than one search reads. The newest files were searched.",
  chosen:
    "{files, plural, one {# file} other {# files}}, {matches, plural, one {# match} other {# matches}}",
  replaceChosen: "Replace in the chosen files",
  ofTrack:
    "{language} · {matches, plural, one {# match} other {# matches}} in {lines, plural, one {# line} other {# lines}}",
  chooseAll: "All",
  done: "{files, plural, one {Changed # file} other {Changed # files}}",
  undo: "Undo",
  undoAll: "Undo all",
  undone: "Undone",
  failed: "Not changed: {reason}",
  close: "Close",
});
