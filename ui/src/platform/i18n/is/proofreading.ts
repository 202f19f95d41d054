import type { t } from "../en/proofreading";
import type { Translation } from "../messages";

export default {
  intro: "Líkan les textann og leggur til leiðréttingar. Ekkert breytist fyrr en þú samþykkir það.",
  start: "Yfirlesa allar línur",
  again: "Yfirlesa aftur",
  line: "Aðeins valda línan:",
  fixLine: "Leiðrétta stafsetningu",
  shorten: "Stytta",
  running: "Les línurnar…",
  cancel: "Hætta við",
  cancelled: "Hætt var við yfirlesturinn.",
  failed: "Yfirlesturinn mistókst.",
  model: "Líkan: {engine}",
  rules: "Eftir reglum, án mállíkans",
  none: "Engin lína af {lines, number} þarf breytingar við.",
  found:
    "{count, plural, one {# tillaga} other {# tillögur}} í {lines, plural, one {# línu} other {# línum}}",
  large: "Margt er nýtt: lestu það áður en þú samþykkir.",
  accept: "{count, plural, one {Samþykkja # tillögu} other {Samþykkja # tillögur}}",
  all: "Velja allar",
  noneChosen: "Velja enga",
  step: "{count, plural, one {# tillaga yfirlestrar samþykkt} other {# tillögur yfirlestrar samþykktar}}",
  accepted:
    "{count, plural, one {# línu var breytt.} other {# línum var breytt.}} Afturkalla tekur það til baka.",
  gone: "{count, plural, one {# lína hefur breyst síðan hún var lesin og helst óbreytt.} other {# línur hafa breyst síðan þær voru lesnar og haldast óbreyttar.}}",
  show: "Sýna línu {number, number}",
  before: "Fyrir",
  after: "Eftir",
  spelling: "Stafsetning",
  grammar: "Málfræði",
  punctuation: "Greinarmerki",
  name: "Nafn",
  repetition: "Endurtekning",
  shorter: "Styttra",
} satisfies Translation<typeof t>;
