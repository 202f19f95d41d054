import { messages } from "../messages";

export const t = messages("browseAs", {
  browsingAsACustomer: "Browsing as a customer",
  youSeeTheAccountOf:
    "You see the account of <b>{userName}</b> ({email}) as {adminName}. Everything you open is recorded.",
  timeLeft: "Time left",
  allowChanges: "Allow changes",
  end: "End",
  browseAsUsername: "Browse as {userName}",
  youSeeTheAccountFor:
    "You see the account for 30 minutes, at first only to look. The audit log and the customer’s account log record what you open and change, and your reason.",
  reason: "Reason",
  ticket4711CaptionsLookEmpty: "Ticket 4711: captions look empty",
  cancel: "Cancel",
  start: "Start",
});
