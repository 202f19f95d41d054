import { messages } from "../messages";

export const t = messages("tags", {
  tagsOfName: "Tags of {name}",
  colour: "Colour",
  cancel: "Cancel",
  tagsOfFilesFiles: "Tags of {files} files",
  theseFilesBelongToDifferent:
    "These files belong to different teams, and so do their tags. Choose files of one team.",
  findOrCreateATag: "Find or create a tag",
  youHaveNoTagsYet: "You have no tags yet. Type a name to create the first one.",
  tags: "Tags",
  createWanted: "Create “{wanted}”",
  save: "Save",
});
