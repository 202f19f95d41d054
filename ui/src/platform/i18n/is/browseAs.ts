import type { t } from "../en/browseAs";
import type { Translation } from "../messages";

export default {
  browsingAsACustomer: "Skoða sem viðskiptavinur",
  youSeeTheAccountOf:
    "Þú sérð aðgang <b>{userName}</b> ({email}) sem {adminName}. Allt sem þú opnar er skráð.",
  timeLeft: "Tími eftir",
  allowChanges: "Leyfa breytingar",
  end: "Ljúka",
  browseAsUsername: "Skoða sem {userName}",
  youSeeTheAccountFor:
    "Þú sérð aðganginn í 30 mínútur, fyrst aðeins til að skoða. Atburðaskráin og aðgangsskrá viðskiptavinarins geyma hvað þú opnar og hverju þú breytir, og ástæðuna.",
  reason: "Ástæða",
  ticket4711CaptionsLookEmpty: "Beiðni 4711: skjátextar virðast tómir",
  cancel: "Hætta við",
  start: "Byrja",
} satisfies Translation<typeof t>;
