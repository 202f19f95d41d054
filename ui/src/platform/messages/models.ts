import { messages } from "../i18n/messages";
import english from "./en/models.json";

export const t = messages("models", english);
