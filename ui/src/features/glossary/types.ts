import type { Schemas } from "../../api/client";

export type Term = Schemas["TermOut"];
export type TermScope = Schemas["TermScope"];
export type GlossaryImport = Schemas["GlossaryImport"];
