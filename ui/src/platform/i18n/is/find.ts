import type { t } from "../en/find";
import type { Translation } from "../messages";

export default {
  find: "Finna",
  replaceWith: "Setja í staðinn",
  groupsHint: "$1 til $9 eru hópar í mynstrinu, $0 er allt sem fannst.",
  matchCase: "Greina hástafi og lágstafi",
  wholeWords: "Heil orð",
  pattern: "Regluleg segð",
  patternHint: "RE2-málskipan",
  onlyLines: "Aðeins í sumum línum",
  onlySelected: "Aðeins í völdu línunum ({count, number})",
  fromLine: "Frá línu",
  toLine: "Til línu",
  count: "{count, plural, =0 {Ekkert fannst} one {# fannst} other {# fundust}}",
  place: "{at, number} af {count, number}",
  previous: "Fyrri fundur",
  next: "Næsti fundur",
  replace: "Skipta út",
  replaceAll: "Skipta öllum út",
  replaced:
    "{count, plural, one {# stað var skipt út.} other {# stöðum var skipt út.}} Afturkalla tekur það til baka.",
  step: "Skipta „{query}“ út fyrir „{replacement}“",
  tooMany: "Fleiri en {limit, number} línur myndu breytast í einu. Veldu færri línur.",
  tooLong: "Sumar línur yrðu of langar. Notaðu styttri texta.",
  inFiles: "Finna og skipta út í skrám",
  inFilesHint: "Leitar í textum skránna þinna og sýnir fyrst hvað myndi breytast.",
  search: "Sýna hvað myndi breytast",
  nothing: "Ekkert fannst. Athugaðu stafsetninguna eða slökktu á „Greina hástafi og lágstafi“.",
  notWhole: "Textarnir eru fleiri en ein leit les. Leitað var í nýjustu skránum.",
  chosen:
    "{files, plural, one {# skrá} other {# skrár}}, {matches, plural, one {# fundur} other {# fundir}}",
  replaceChosen: "Skipta út í völdum skrám",
  ofTrack:
    "{language} · {matches, plural, one {# fundur} other {# fundir}} í {lines, plural, one {# línu} other {# línum}}",
  chooseAll: "Allar",
  done: "{files, plural, one {# skrá var breytt} other {# skrám var breytt}}",
  undo: "Afturkalla",
  undoAll: "Afturkalla allt",
  undone: "Afturkallað",
  failed: "Óbreytt: {reason}",
  close: "Loka",
} satisfies Translation<typeof t>;
