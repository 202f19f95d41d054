import { Anchor, Progress } from "@mantine/core";
import { Link } from "react-router";
import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/billing";
import { formatLocale } from "../../platform/i18n/locale";
import { day } from "./words";
import styles from "./billing.module.css";

type Balance = Schemas["LedgerBalanceOut"];

const minutes = (seconds: number): string => Math.floor(seconds / 60).toLocaleString(formatLocale);

export const useMinutesLeft = () =>
  useSWR<Balance, Error>(
    keys.minutesLeft,
    async () => (await unwrap(api.GET("/api/ledger/balance"))).data,
  );

/** How much of this month's minutes is used. */
export function Usage() {
  const { data } = useMinutesLeft();
  if (data === undefined || data.included === null || data.available === null) return null;
  const used = Math.max(0, data.included - data.available);
  const share = data.included === 0 ? 100 : Math.min(100, (used / data.included) * 100);
  return (
    <div className={styles.usage}>
      <Progress
        value={share}
        size="lg"
        radius="xl"
        color={share >= 90 ? "amber" : "spruce"}
        aria-label={t("minutesUsed")}
      />
      <p>
        <span>
          {t.rich("usage.minutes", {
            used: minutes(used),
            b: (parts) => <b className="tabular">{parts}</b>,
            included: minutes(data.included),
          })}
        </span>
        <span className="quiet">
          {data.renews_at !== null && t("usage.renews", { renewsAt: day(data.renews_at) })}
          <Anchor component={Link} to="/minutes">
            {t("usage.see")}
          </Anchor>
        </span>
      </p>
    </div>
  );
}
