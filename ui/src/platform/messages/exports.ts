import { messages } from "../i18n/messages";
import english from "./en/exports.json";

export const t = messages("exports", english);
