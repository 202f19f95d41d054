import { messages } from "../messages";

export const t = messages("notifications", {
  aPaymentIsMissing: "A payment is missing. Your plan waits for it.",
  dismissThisMessage: "Dismiss this message",
  plan: "Plan",
  connection: "Connection",
  uploads: "Uploads",
  files: "Files",
  exports: "Exports",
  notificationsNoticesShown: "Notifications, {notices} shown",
  notifications: "Notifications",
  clearAll: "Clear all",
  youAreAllCaughtUp: "You are all caught up. Progress on your files will appear here.",
  showNotificationsAbout: "Show notifications about",
  all: "All",
  closeThisMessage: "Close this message",
});
