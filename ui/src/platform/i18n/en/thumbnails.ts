import { messages } from "../messages";

export const t = messages("thumbnails", {
  noName: "No {name}",
  unplayable: "Unplayable",
});
