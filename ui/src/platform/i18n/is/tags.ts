import type { t } from "../en/tags";
import type { Translation } from "../messages";

export default {
  tagsOfName: "Merki: {name}",
  colour: "Litur",
  cancel: "Hætta við",
  tagsOfFilesFiles: "Merki {files} skráa",
  theseFilesBelongToDifferent:
    "Þessar skrár tilheyra ólíkum teymum og það gera merki þeirra líka. Veldu skrár eins teymis.",
  findOrCreateATag: "Finna eða búa til merki",
  youHaveNoTagsYet: "Þú átt engin merki enn. Sláðu inn nafn til að búa til það fyrsta.",
  tags: "Merki",
  createWanted: "Búa til „{wanted}“",
  save: "Vista",
} satisfies Translation<typeof t>;
