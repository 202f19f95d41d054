import { messages } from "../i18n/messages";
import english from "./en/ledger.json";

export const t = messages("ledger", english);
