import { messages } from "../i18n/messages";
import english from "./en/library.json";

export const t = messages("library", english);
