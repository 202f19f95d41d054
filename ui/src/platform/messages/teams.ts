import { messages } from "../i18n/messages";
import english from "./en/teams.json";

export const t = messages("teams", english);
