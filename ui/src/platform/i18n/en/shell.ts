import { messages } from "../messages";

/** The bar at the top of every page. */
export const t = messages("shell", {
  admin: "Admin",
  dashboard: "Dashboard",
  mainMenu: "Main",
  projects: "Projects",
  search: "Search",
  searchCtrlK: "Search (Ctrl+K)",
  skipToContent: "Skip to content",
  toDark: "Switch to dark mode",
  toLight: "Switch to light mode",
});
