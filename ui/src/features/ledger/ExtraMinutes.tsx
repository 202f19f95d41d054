import { Button, NumberInput, Switch, Title } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/ledger";
import { toast } from "../../platform/notices/toast";
import { allowExtra, type Balance } from "./data";
import { minutes, money } from "./words";
import styles from "./ledger.module.css";

const MOST = 10_000;

/** Whether usage may go beyond the plan, and how much that may cost in a month. */
export function ExtraMinutes({ balance, onSaved }: { balance: Balance; onSaved: () => void }) {
  const { extra } = balance;
  const [isAllowed, setAllowed] = useState(extra.is_allowed);
  const [limit, setLimit] = useState<string | number>(extra.limit / 100 || 20);
  const [busy, setBusy] = useState(false);
  const cents = Math.round(Number(limit) * 100);
  const isSame = isAllowed === extra.is_allowed && (!isAllowed || cents === extra.limit);
  const save = async () => {
    setBusy(true);
    try {
      await allowExtra(isAllowed, isAllowed ? cents : extra.limit);
      toast("success", isAllowed ? t("extra.on") : t("extra.off"));
      onSaved();
    } catch (problem) {
      toast("error", (problem as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className={`card ${styles.extra}`} aria-labelledby="extra">
      <div>
        <Title order={2} id="extra">
          {t("extraMinutes")}
        </Title>
        <p className="quiet">
          {t("extra.about", {
            priceMinute: money(extra.price_minute),
            seconds: minutes(extra.seconds),
            cents: money(extra.cents),
          })}
        </p>
      </div>
      <form
        className={styles.extraForm}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Switch
          label={t("extra.use")}
          checked={isAllowed}
          onChange={(event) => setAllowed(event.currentTarget.checked)}
        />
        <NumberInput
          label={t("extra.most")}
          prefix="$"
          min={0}
          max={MOST}
          decimalScale={2}
          thousandSeparator
          w={160}
          value={limit}
          disabled={!isAllowed}
          onChange={setLimit}
        />
        <Button type="submit" loading={busy} disabled={isSame}>
          {t("save")}
        </Button>
      </form>
    </section>
  );
}
