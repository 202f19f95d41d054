import type { Schemas } from "../../platform/api/client";

export type Term = Schemas["TermOut"];
export type TermScope = Schemas["TermScope"];
export type GlossaryImport = Schemas["GlossaryImport"];
