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
  closed:
    "Ekki tókst að vista {count, plural, one {síðustu breytingu þína} other {síðustu # breytingar þínar}}: {reason} Sæktu textann til að geyma hann.",
  download: "Sækja textann minn",
  mediaAway: "Hægt verður að spila upptökuna þegar samband næst við þjóninn.",
  fileName: "óvistaður texti",
} satisfies Translation<typeof t>;
