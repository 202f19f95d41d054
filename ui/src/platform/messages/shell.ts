import { messages } from "../i18n/messages";
import english from "./en/shell.json";

export const t = messages("shell", english);
