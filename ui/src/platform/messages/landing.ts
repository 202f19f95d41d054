import { messages } from "../i18n/messages";
import english from "./en/landing.json";

export const t = messages("landing", english);
