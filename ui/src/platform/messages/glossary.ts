import { messages } from "../i18n/messages";
import english from "./en/glossary.json";

export const t = messages("glossary", english);
