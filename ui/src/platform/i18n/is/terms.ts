import type { t } from "../en/terms";
import type { Translation } from "../messages";

export default {
  stays: "Orðasafn: „{source}“ er ekki þýtt",
  becomes: "Orðasafn: {source} → {target}",
  missing: "{target} vantar",
  missingIn: "Hugtök úr orðasafni sem vantar í línu {number}",
  missingTitle: "Í orðasafninu er „{source}“ þýtt sem „{target}“",
  noneMissing: "Ekkert hugtak úr orðasafninu vantar í þessa línu.",
  replace: "Setja „{target}“ í stað „{words}“",
  insert: "Setja „{target}“ inn við bendilinn",
} satisfies Translation<typeof t>;
