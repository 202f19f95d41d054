import { messages } from "../messages";

export const t = messages("bin", {
  emptyTheBin: "Empty the bin?",
  emptyTheBin2: "Empty the bin",
  theBinIsEmpty: "The bin is empty",
  filesThatYouDeleteWait:
    "Files that you delete wait here for 30 days, so that you can restore them.",
  goToYourFiles: "Go to your files",
  totalDeleted: "{total} deleted",
  idsSelected: "{ids} selected",
  selectAllFilesOnThis: "Select all files on this page",
  restoreSelected: "Restore selected",
  delete1File: "Delete 1 file?",
  deleteIdsFiles: "Delete {ids} files?",
  deleteSelectedForGood: "Delete selected for good",
  deletedFiles: "Deleted files",
  deleteFilename: "Delete “{fileName}”?",
  captionsInEveryLanguageTexts:
    "Captions in every language, texts and exports go too. This cannot be undone.",
  keep: "Keep",
  deleteForGood: "Delete for good",
  deletedDeletedat: "deleted {deletedAt}",
  goesToday: "Goes today",
  days: "{days, plural, one {# day left} other {# days left}}",
});
