import { messages } from "../messages";

/** Why somebody who may only look finds no commands that change something. */
export const t = messages("rights", {
  file: "You may look at this file, but not change it. Playing, copying and downloading work as usual. To edit, ask an owner of the team to make you an editor.",
  texts: "Only owners and editors of the team write and change these texts.",
  selection:
    "{count, plural, one {You may look at one of these files, but not change it} other {You may look at # of these files, but not change them}}. To tag or delete files, select only those that you may change.",
  support: "You may only look until you allow changes in this account.",
  uploads:
    "You may look at the files of {team}, but not add any. To upload, ask an owner of the team to make you an editor, or change whom you work for in the menu at the top of the page.",
  projects:
    "You may look at the projects of {team}, but not add any. To create one, ask an owner of the team to make you an editor.",
  tags: "You may use the tags that are here. To create one, ask an owner of {team} to make you an editor.",
  glossary:
    "You may look at the terms of {team}, but not add any. What you add here is only yours. To add terms for the team, ask an owner to make you an editor.",
  bin: "Files of teams in which you may only look are not shown here: their editors and owners restore them.",
  noTexts: "No texts yet",
  textsAppear:
    "When an editor of the team writes a summary or another text about this file, you can read it here.",
  draft:
    "You may no longer change this file, so your text cannot be saved. It stays in this browser, and you can copy it. To save it, ask an owner of the team to make you an editor.",
});
