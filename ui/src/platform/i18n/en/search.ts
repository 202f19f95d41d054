import { messages } from "../messages";

export const t = messages("search", {
  searchNamesAndCaptions: "Search names and captions",
  tryAgain: "Try again",
  searchResults: "Search results",
  showItOnThePage: "Show it on the page Files",
  showAllTotalFiles: "Show all {total} files",
  typeAtLeastSearchminCharacters:
    "Type at least {searchMin} characters of a name or of what was said.",
  searching: "Searching…",
  noNameAndNoCaption: "No name and no caption contains these words. Try fewer words.",
  foundIn1File: "Found in 1 file",
  foundInTotalFiles: "Found in {total} files",
  theSearchDidNotWork: "The search did not work",
  noMatches: "No matches",
  noNameAndNoCaptionContains:
    "No name and no caption contains these words. Try fewer words or the beginning of one.",
  showAll: "Show all",
  pageItem: "Page {item}",
  linesFoundInFilename: "Lines found in {fileName}",
  and1MoreLine: "and 1 more line",
  andMoreMoreLines: "and {more} more lines",
});
