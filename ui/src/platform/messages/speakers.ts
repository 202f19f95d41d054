import { messages } from "../i18n/messages";
import english from "./en/speakers.json";

export const t = messages("speakers", english);
