import type { Schemas } from "../../platform/api/client";

export type Translation = Schemas["TranslationOut"];
export type TranslationState = Schemas["TranslationState"];
export type FileTranslation = Schemas["FileTranslationOut"];
export type TargetLanguage = Schemas["TargetLanguage"];
export type Formality = Schemas["Formality"];
export type LineFlag = Schemas["LineFlag"];
