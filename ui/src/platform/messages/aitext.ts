import { messages } from "../i18n/messages";
import english from "./en/aitext.json";

export const t = messages("aitext", english);
