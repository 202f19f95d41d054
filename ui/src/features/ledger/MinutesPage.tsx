import { Button, Pagination, Select, Switch, Title } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { t } from "../../platform/messages/ledger";
import { EmptyState } from "../../platform/page/EmptyState";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { IconDownload } from "../../platform/theme/icons";
import { useSession } from "../../domain/person/session";
import { BalanceCard } from "./BalanceCard";
import {
  csvUrl,
  PER_PAGE,
  useBalance,
  useMovements,
  useUsage,
  type Movement,
  type Whose,
} from "./data";
import { ExtraMinutes } from "./ExtraMinutes";
import { Grants } from "./Grants";
import { MonthUsage } from "./MonthUsage";
import { Movements } from "./Movements";
import { RefundDialog } from "./RefundDialog";
import { monthName, monthsBetween } from "./words";
import styles from "./ledger.module.css";

const OWN = "own";
const EVER = "ever";

/** Minutes: what is left, where they come from, and what used them. Of oneself, a team, or for admins of any payer. */
export default function MinutesPage() {
  usePageTitle(t("minutes"));
  const [search, setSearch] = useSearchParams();
  const { user } = useSession();
  const payer = search.get("payer") ?? undefined;
  const team = search.get("team") ?? undefined;
  const whose: Whose = payer !== undefined ? { payer } : team !== undefined ? { team } : {};
  const { data: balance, error, mutate } = useBalance(whose);
  const teams = user?.teams.filter(({ is_active }) => is_active) ?? [];

  if (balance === undefined) {
    return error === undefined ? (
      <EmptyState />
    ) : (
      <EmptyState
        loading={false}
        hero="lost"
        title={t("loadFailed")}
        description={error.message}
        add={{ label: t("tryAgain"), contentType: "minutes", onAdd: () => void mutate() }}
      />
    );
  }
  const isOwn = payer === undefined && team === undefined;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div>
          <Title order={1}>{t("minutes")}</Title>
          <p className="quiet">{t("about")}</p>
        </div>
        {payer === undefined && teams.length > 0 && (
          <Select
            label={t("minutesOf")}
            allowDeselect={false}
            data={[
              { value: OWN, label: t("yourself") },
              ...teams.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={team ?? OWN}
            onChange={(value) => setSearch(value === null || value === OWN ? {} : { team: value })}
          />
        )}
      </header>
      <BalanceCard balance={balance} />
      {isOwn && balance.is_enforced && balance.extra.price_minute > 0 && (
        <ExtraMinutes balance={balance} onSaved={() => void mutate()} />
      )}
      <Grants grants={balance.grants} />
      {balance.sees_all ? (
        <History
          key={JSON.stringify(whose)}
          whose={whose}
          balance={balance}
          mayRefund={payer !== undefined}
        />
      ) : (
        <p className="quiet">{t("owners")}</p>
      )}
    </div>
  );
}

interface HistoryProps {
  whose: Whose;
  balance: { first_month: string; this_month: string };
  mayRefund: boolean;
}

function History({ whose, balance, mayRefund }: HistoryProps) {
  const [chosen, setChosen] = useState<string>(balance.this_month);
  const [all, setAll] = useState(false);
  const [page, setPage] = useState(1);
  const [refunded, setRefunded] = useState<Movement>();
  const month = chosen === EVER ? undefined : chosen;
  const { data: usage } = useUsage(whose, month, true);
  const { data, error, mutate } = useMovements(whose, { month, all, page }, true);
  const pages = Math.ceil((data?.meta.total ?? 0) / PER_PAGE);
  return (
    <section aria-labelledby="history" className={styles.part}>
      <div className={styles.head}>
        <Title order={2} id="history">
          {t("movements.title")}
        </Title>
        <div className={styles.tools}>
          <Select
            aria-label={t("month")}
            w={190}
            allowDeselect={false}
            data={[
              ...monthsBetween(balance.first_month, balance.this_month).map((value) => ({
                value,
                label: monthName(value),
              })),
              { value: EVER, label: t("allMonths") },
            ]}
            value={chosen}
            onChange={(value) => {
              setChosen(value ?? EVER);
              setPage(1);
            }}
          />
          <Button
            variant="default"
            component="a"
            href={csvUrl(whose, { month, all })}
            download
            leftSection={<IconDownload size={17} />}
          >
            {t("exportCsv")}
          </Button>
        </div>
      </div>
      <MonthUsage usage={usage} />
      <Switch
        size="sm"
        label={t("movements.all")}
        checked={all}
        onChange={(event) => {
          setAll(event.currentTarget.checked);
          setPage(1);
        }}
      />
      {data === undefined ? (
        <EmptyState
          loading={error === undefined}
          title={error === undefined ? undefined : t("movements.loadFailed")}
          description={error?.message}
          hero="lost"
        />
      ) : data.data.length === 0 ? (
        <p className={`card ${styles.none}`}>{t("movements.none")}</p>
      ) : (
        <Movements movements={data.data} onRefund={mayRefund ? setRefunded : undefined} />
      )}
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page}
          onChange={setPage}
          getItemProps={(item) => ({ "aria-label": t("pageItem", { item }) })}
        />
      )}
      {refunded !== undefined && (
        <RefundDialog
          movement={refunded}
          onClose={() => setRefunded(undefined)}
          onDone={() => void mutate()}
        />
      )}
    </section>
  );
}
