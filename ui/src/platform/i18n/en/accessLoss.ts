import { messages } from "../messages";

export const t = messages("accessLoss", {
  youCannotOpenThisAnyMore: "You cannot open this any more",
  youAreNoLongerIn:
    "{count, plural, one {You are no longer in the team {teams}.} other {You are no longer in the teams {teams}.}}",
  yourPlanHasEnded: "Your plan, or that of your team, has ended.",
  yourAccountStays: "Your account and what is yours are still there.",
  seePlans: "See plans",
});
