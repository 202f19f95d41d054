import { messages } from "../i18n/messages";
import english from "./en/billing.json";

export const t = messages("billing", english);
