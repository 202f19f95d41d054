import { messages } from "../i18n/messages";
import english from "./en/live.json";

export const t = messages("live", english);
