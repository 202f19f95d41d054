import type { t } from "../en/accessLoss";
import type { Translation } from "../messages";

export default {
  youCannotOpenThisAnyMore: "Þú getur ekki lengur opnað þetta",
  youAreNoLongerIn:
    "{count, plural, one {Þú ert ekki lengur í teyminu {teams}.} other {Þú ert ekki lengur í teymunum {teams}.}}",
  yourPlanHasEnded: "Áskriftinni þinni, eða teymisins þíns, er lokið.",
  yourAccountStays: "Aðgangurinn þinn og það sem þú átt er enn til staðar.",
  seePlans: "Sjá áskriftir",
} satisfies Translation<typeof t>;
