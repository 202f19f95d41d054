import type { Schemas } from "../../platform/api/client";

/** `isPart`: these are the first lines, shown like a draft while all of them are on their way. */
export type Captions = Schemas["CaptionsOut"] & { isPart?: true };
export type Line = Schemas["LineOut"];
export type LineSource = Schemas["SourceOut"];
export type Word = Schemas["WordOut"];
export type WordStyle = Schemas["WordStyle"];
export type LinePlace = Schemas["PlaceOut"];
export type CaptionFormat = Schemas["CaptionFormat"];
export type CaptionForm = Schemas["CaptionFormOut"];
export type CaptionEdit = Schemas["CaptionEdit"];
export type Saved = Schemas["SavedOut"];
export type Imported = Schemas["ImportedOut"];
