import { messages } from "../i18n/messages";
import english from "./en/editor.json";

export const t = messages("editor", english);
