import { messages } from "../messages";

export const t = messages("api", {
  weCouldNotReachThe: "We could not reach the server. Check your connection and try again.",
  somethingWentWrongTryAgain: "Something went wrong. Try again.",
});
