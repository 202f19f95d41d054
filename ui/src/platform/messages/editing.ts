import { messages } from "../i18n/messages";
import english from "./en/editing.json";

export const t = messages("editing", english);
