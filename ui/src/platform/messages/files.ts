import { messages } from "../i18n/messages";
import english from "./en/files.json";

export const t = messages("files", english);
