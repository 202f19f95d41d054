import { messages } from "../messages";

/** The tools beside the caption lines. */
export const t = messages("panels", {
  tools: "Tools",
  open: "Open",
  close: "Close: {panel}",
  find: "Find and replace",
  review: "Review",
  spelling: "Spelling",
  glossary: "Glossary",
  proofreading: "Proofreading",
});
