import type { t } from "../en/offline";
import type { Translation } from "../messages";

export default {
  away: "Ekki næst samband við þjóninn. Þú getur haldið áfram að breyta: breytingarnar bíða í þessum vafra og vistast um leið og samband næst. Spilun, útflutningur og flest verkfæri þurfa samband.",
  waiting: "{count, plural, one {# breyting bíður} other {# breytingar bíða}}",
  locked:
    "Ekki næst samband við þjóninn. Einhver gæti hafa breytt þessum texta síðan, svo að honum má breyta þegar samband næst. Þínar breytingar eru geymdar.",
  full: "Þessi vafri hefur ekki pláss til að geyma breytingarnar þínar. Hafðu síðuna opna þar til þær eru vistaðar og eyddu geymdum gögnum annarra vefja.",
  unavailable:
    "Þessi vafri geymir ekkert, eins og oft er í einkagluggum. Hafðu síðuna opna þar til breytingarnar þínar eru vistaðar.",
  gone: "{count, plural, =0 {Ekki er lengur hægt að breyta þessum texta: {reason}} one {Ekki tókst að vista síðustu breytingu þína: {reason} Afritaðu eða sæktu textann til að geyma hann.} other {Ekki tókst að vista síðustu # breytingar þínar: {reason} Afritaðu eða sæktu textann til að geyma hann.}}",
  lookOnly:
    "Ekki tókst að vista {count, plural, one {síðustu breytingu þína} other {síðustu # breytingar þínar}} því að þú mátt nú aðeins skoða þennan texta. Afritaðu eða sæktu textann til að geyma hann eða biddu eiganda teymisins að gera þig aftur að ritstjóra.",
  download: "Sækja textann minn",
  copy: "Afrita textann minn",
  copied: "Textinn þinn er afritaður.",
  notCopied: "Þessi vafri leyfði síðunni ekki að afrita. Sæktu textann í staðinn.",
  discard: "Henda",
  sureToDiscard: "Henda því sem þú skrifaðir hér fyrir fullt og allt?",
  keep: "Geyma það",
  left: "Þessi vafri geymir {count, plural, one {# breytingu} other {# breytingar}} frá þér sem ekki tókst að vista hér. Afritaðu eða sæktu textann. Ef skjátextinn kemur aftur vistast breytingarnar þá.",
  mediaAway: "Hægt verður að spila upptökuna þegar samband næst við þjóninn.",
  fileName: "óvistaður texti",
} satisfies Translation<typeof t>;
