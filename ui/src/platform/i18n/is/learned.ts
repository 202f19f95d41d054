import type { t } from "../en/learned";
import type { Translation } from "../messages";

export default {
  suggestions: "Lært af leiðréttingum",
  why: "Þessi orð voru leiðrétt eins oftar en einu sinni.",
  pair: "„{wrong}“ → „{right}“",
  times: "leiðrétt {times, plural, one {# sinni} other {# sinnum}}",
  accept: "Bæta „{right}“ í orðasafnið",
  add: "Bæta við",
  dismiss: "Hafna",
  dismissOne: "Hafna „{right}“",
  use: "notað {used, plural, one {# sinni} other {# sinnum}}",
  useAtLeast: "notað að minnsta kosti {used, plural, one {# sinni} other {# sinnum}}",
  corrected: ", leiðrétt {corrected, number} sinnum síðan því var bætt við",
  words: "Orð sem stafsetning samþykkir",
  remove: "Fjarlægja „{word}“",
  ofTeam: "teymi",
} satisfies Translation<typeof t>;
