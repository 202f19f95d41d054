import { messages } from "../i18n/messages";
import english from "./en/processing.json";

export const t = messages("processing", english);
