import { messages } from "../i18n/messages";
import english from "./en/rights.json";

export const t = messages("rights", english);
