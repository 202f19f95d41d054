import type { t } from "../en/notifications";
import type { Translation } from "../messages";

export default {
  aPaymentIsMissing: "Greiðslu vantar. Áskriftin þín bíður eftir henni.",
  dismissThisMessage: "Fela þessi skilaboð",
  plan: "Áskriftarleið",
  connection: "Samband",
  uploads: "Upphleðslur",
  files: "Skrár",
  exports: "Útflutningar",
  notificationsNoticesShown: "Tilkynningar, {notices} sýndar",
  notifications: "Tilkynningar",
  clearAll: "Hreinsa allt",
  youAreAllCaughtUp: "Ekkert nýtt. Framvinda skránna þinna birtist hér.",
  showNotificationsAbout: "Sýna tilkynningar um",
  all: "Allt",
  closeThisMessage: "Loka þessum skilaboðum",
} satisfies Translation<typeof t>;
