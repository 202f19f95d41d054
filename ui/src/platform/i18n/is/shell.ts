import type { t } from "../en/shell";
import type { Translation } from "../messages";

export default {
  admin: "Umsjón",
  dashboard: "Yfirlit",
  mainMenu: "Aðalvalmynd",
  projects: "Verkefni",
  search: "Leita",
  searchCtrlK: "Leit (Ctrl+K)",
  skipToContent: "Fara beint í efni",
  toDark: "Skipta yfir í dökkt útlit",
  toLight: "Skipta yfir í ljóst útlit",
} satisfies Translation<typeof t>;
