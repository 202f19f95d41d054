import type { t } from "../en/bin";
import type { Translation } from "../messages";

export default {
  emptyTheBin: "Tæma ruslið?",
  emptyTheBin2: "Tæma ruslið",
  theBinIsEmpty: "Ruslið er tómt",
  filesThatYouDeleteWait: "Skrár sem þú eyðir bíða hér í 30 daga svo að þú getir endurheimt þær.",
  goToYourFiles: "Fara í skrárnar þínar",
  totalDeleted: "{total} eytt",
  idsSelected: "{ids} valdar",
  selectAllFilesOnThis: "Velja allar skrár á þessari síðu",
  restoreSelected: "Endurheimta valdar",
  delete1File: "Eyða 1 skrá?",
  deleteIdsFiles: "Eyða {ids} skrám?",
  deleteSelectedForGood: "Eyða völdum fyrir fullt og allt",
  deletedFiles: "Eyddar skrár",
  deleteFilename: "Eyða „{fileName}“?",
  captionsInEveryLanguageTexts:
    "Skjátextar á öllum tungumálum, textar og útflutningar fara líka. Þetta er ekki hægt að afturkalla.",
  keep: "Halda",
  deleteForGood: "Eyða fyrir fullt og allt",
  deletedDeletedat: "eytt {deletedAt}",
  goesToday: "Fer í dag",
  days: "{days, plural, one {# dagur eftir} other {# dagar eftir}}",
} satisfies Translation<typeof t>;
