import { messages } from "../messages";

export const t = messages("adminList", {
  theNameCouldNotBe: "The {name} could not be loaded",
  tryAgain: "Try again",
  noName: "No {name}",
  nothingIsHereYet: "Nothing is here yet.",
  nothingMatchesTheseFilters: "Nothing matches these filters.",
  pageItem: "Page {item}",
  controlPage: "{control} page",
  moreThanCountedmaxMany: "More than {countedMax, number} {many}",
  minutesMin: "{minutes} min",
  hoursHMinutesMin: "{hours, number} h {minutes} min",
  moreThan: "More than {counted}",
});
