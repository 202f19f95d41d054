import type { t } from "../en/search";
import type { Translation } from "../messages";

export default {
  searchNamesAndCaptions: "Leita í nöfnum og skjátextum",
  tryAgain: "Reyna aftur",
  searchResults: "Leitarniðurstöður",
  showItOnThePage: "Sýna á síðunni Skrár",
  showAllTotalFiles: "Sýna allar {total} skrárnar",
  typeAtLeastSearchminCharacters:
    "Sláðu inn að minnsta kosti {searchMin} stafi úr nafni eða því sem var sagt.",
  searching: "Leita…",
  noNameAndNoCaption: "Ekkert nafn og enginn skjátexti inniheldur þessi orð. Prófaðu færri orð.",
  foundIn1File: "Fannst í 1 skrá",
  foundInTotalFiles: "Fannst í {total} skrám",
  theSearchDidNotWork: "Leitin tókst ekki",
  noMatches: "Ekkert fannst",
  noNameAndNoCaptionContains:
    "Ekkert nafn og enginn skjátexti inniheldur þessi orð. Prófaðu færri orð eða upphaf orðs.",
  showAll: "Sýna allt",
  pageItem: "Síða {item}",
  linesFoundInFilename: "Línur sem fundust í {fileName}",
  and1MoreLine: "og 1 lína í viðbót",
  andMoreMoreLines: "og {more} línur í viðbót",
} satisfies Translation<typeof t>;
