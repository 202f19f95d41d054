const RIGHT_TO_LEFT = new Set([
  "ar",
  "arc",
  "ckb",
  "dv",
  "fa",
  "he",
  "ku",
  "ps",
  "sd",
  "ug",
  "ur",
  "yi",
]);

/** The direction of a text box: that of its text, or of the language while the text does not show it. */
export function directionOf(text: string, language: string | undefined): "auto" | "rtl" | "ltr" {
  const base = language?.split("-")[0]?.toLowerCase() ?? "";
  // Digits and punctuation have no direction of their own, so the browser would take them for left to right.
  return RIGHT_TO_LEFT.has(base) && !/\p{L}/u.test(text) ? "rtl" : "auto";
}
