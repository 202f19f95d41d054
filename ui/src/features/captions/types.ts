import type { Schemas } from "../../api/client";

export type Captions = Schemas["CaptionsOut"];
export type Line = Schemas["LineOut"];
export type CaptionEdit = Schemas["CaptionEdit"];
export type Saved = Schemas["SavedOut"];
/** One change as the editor asks for it; language and revision are added when it is sent. */
export type Change = Omit<CaptionEdit, "issued" | "language">;
