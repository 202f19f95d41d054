import type { t } from "../en/adminMails";
import type { Translation } from "../messages";

export default {
  failed: "Mistókst",
  waiting: "Bíður",
  againNextat: "Aftur {nextAt}",
  attempts: "{attempts, plural, one {# tilraun} other {# tilraunir}}",
  adminMail: "Umsjón - Póstur",
  to: "Til",
  mail: "Póstur",
  state: "Staða",
  mailServer: "Póstþjónn",
  notTriedYet: "Ekki reynt enn",
  theLinkInItHas: "Tengillinn í honum er útrunninn.",
  actions: "Aðgerðir",
  tryTheMailToTo: "Reyna póstinn til {to} aftur",
  tryAgain: "Reyna aftur",
  discardTheMailToTo: "Henda póstinum til {to}",
  discard: "Henda",
  total: "{total, plural, one {# ósent bréf} other {# ósend bréf}}",
  anyState: "Hvaða staða sem er",
  everyMailHasLeftA:
    "Öll bréf eru farin. Bréf sem póstþjónn viðtakanda endursendir síðar fer í pósthólf sendandans okkar.",
  discardThisMail: "Henda þessu bréfi?",
  toWillNotGetIt:
    "{to} fær það ekki. Bréf af tegundinni „{kind}“ eru ekki skrifuð aftur af sjálfu sér.",
  keepIt: "Halda því",
  theMailToToIs: "Pósturinn til {to} er reyndur aftur.",
  theMailToToIsDiscarded: "Póstinum til {to} var hent.",
  unsentMails: "ósend bréf",
} satisfies Translation<typeof t>;
