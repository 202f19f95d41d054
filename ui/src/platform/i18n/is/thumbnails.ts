import type { t } from "../en/thumbnails";
import type { Translation } from "../messages";

export default {
  noName: "Engin gögn: {name}",
  unplayable: "Ekki spilanlegt",
} satisfies Translation<typeof t>;
