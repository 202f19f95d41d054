import type { t } from "../en/api";
import type { Translation } from "../messages";

export default {
  weCouldNotReachThe: "Ekki náðist í þjóninn. Athugaðu nettenginguna og reyndu aftur.",
  somethingWentWrongTryAgain: "Eitthvað fór úrskeiðis. Reyndu aftur.",
} satisfies Translation<typeof t>;
