import type { t } from "../en/adminList";
import type { Translation } from "../messages";

export default {
  theNameCouldNotBe: "Ekki tókst að sækja: {name}",
  tryAgain: "Reyna aftur",
  noName: "Engin gögn: {name}",
  nothingIsHereYet: "Hér er ekkert enn.",
  nothingMatchesTheseFilters: "Ekkert passar við þessar síur.",
  pageItem: "Síða {item}",
  controlPage: "Síða: {control}",
  moreThanCountedmaxMany: "Fleiri en {countedMax, number} {many}",
  minutesMin: "{minutes} mín.",
  hoursHMinutesMin: "{hours, number} klst. {minutes} mín.",
  moreThan: "Fleiri en {counted}",
} satisfies Translation<typeof t>;
