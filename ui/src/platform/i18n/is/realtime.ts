import type { t } from "../en/realtime";
import type { Translation } from "../messages";

export default {
  weWereUnableToConnect:
    "Ekki tókst að tengjast skilaboðaþjónustunni. Þú gætir þurft að endurhlaða síðuna",
} satisfies Translation<typeof t>;
