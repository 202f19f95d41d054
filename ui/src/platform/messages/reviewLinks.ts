import { messages } from "../i18n/messages";
import english from "./en/reviewLinks.json";

export const t = messages("reviewLinks", english);
