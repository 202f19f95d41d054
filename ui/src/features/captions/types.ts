import type { Schemas } from "../../api/client";

export type Captions = Schemas["CaptionsOut"];
export type Line = Schemas["LineOut"];

export type EditAction = "Edit" | "Delete" | "Merge" | "Add" | "Split" | "Undo" | "Redo" | "None";
