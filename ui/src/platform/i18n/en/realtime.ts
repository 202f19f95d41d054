import { messages } from "../messages";

export const t = messages("realtime", {
  weWereUnableToConnect:
    "We were unable to connect to the messaging service. You may need to refresh your browser",
});
