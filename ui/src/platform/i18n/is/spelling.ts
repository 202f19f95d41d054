import type { t } from "../en/spelling";
import type { Translation } from "../messages";

export default {
  check: "Athuga stafsetningu",
  checkHint: "Strikar undir orð sem eru ekki í orðabók tungumáls textans.",
  also: "Fleiri orðabækur",
  alsoHint: "Orð þeirra eru líka rétt: fyrir texta þar sem fólk notar fleiri en eitt tungumál.",
  loading: "Sæki orðabókina…",
  missing: "Engin orðabók er til fyrir {language}. Stafsetningarathugun vafrans er áfram virk.",
  failed:
    "Ekki tókst að sækja orðabókina. Athugaðu tenginguna og slökktu svo og kveiktu á athuguninni.",
  count: "{count, plural, =0 {Ekkert óþekkt orð} one {# óþekkt orð} other {# óþekkt orð}}",
  times: "{count, plural, one {# sinni} other {# sinnum}}",
  show: "Sýna „{word}“ í línunni",
  ignore: "Hunsa",
  addMine: "Bæta við orðin mín",
  addTeam: "Bæta við orð teymisins",
  suggestions: "Tillögur að „{word}“",
  noSuggestion: "Engin tillaga",
  asking: "Leita að tillögum…",
  menuKey: "Tillögur í línu: {key} eða hægri músarhnappur.",
  myWords: "Orð sem þú bættir við",
  noWords: "Hér birtast orð sem þú bætir við. Aldrei er strikað undir þau.",
  ofTeam: "teymi",
  remove: "Fjarlægja „{word}“",
  more: "{count, plural, one {og # orð enn} other {og # orð enn}}",
} satisfies Translation<typeof t>;
