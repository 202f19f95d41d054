import { messages } from "../i18n/messages";
import english from "./en/auth.json";

export const t = messages("auth", english);
