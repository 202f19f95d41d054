import { messages } from "../i18n/messages";
import english from "./en/account.json";

export const t = messages("account", english);
