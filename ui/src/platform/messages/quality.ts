import { messages } from "../i18n/messages";
import english from "./en/quality.json";

export const t = messages("quality", english);
