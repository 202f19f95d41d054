import { messages } from "../i18n/messages";
import english from "./en/admin.json";

export const t = messages("admin", english);
