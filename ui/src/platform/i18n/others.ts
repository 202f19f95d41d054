import type { Catalogue, Files } from "./loaded";

/** What every page but the first ones says, among them the editor and the admin pages. */
export const OTHERS: Files = import.meta.glob<Catalogue>(
  [
    "../messages/*/*.json",
    "!../messages/en/*.json",
    "!../messages/*/{shell,auth,landing,files,language}.json",
  ],
  { import: "default" },
);
