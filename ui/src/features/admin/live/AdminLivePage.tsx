import { Button, Modal } from "@mantine/core";
import { useEffect, useState } from "react";
import { formatLocale } from "../../../platform/i18n/locale";
import { t } from "../../../platform/messages/admin";
import { SeverityBadge } from "../../../platform/page/SeverityBadge";
import { usePageTitle } from "../../../platform/page/usePageTitle";
import { IconPlayerStop } from "../../../platform/theme/icons";
import list from "../list/list.module.css";
import { AdminHead } from "../list/AdminHead";
import { AdminTable, type Column } from "../list/AdminTable";
import { useAdminList } from "../list/useAdminList";
import { useFilters } from "../list/useFilters";
import { duration, moment } from "../list/words";
import { LATE_MS, LIVE, LOOK_MS, QUIET_MS, useEndLive, type RunningLive } from "./data";

const seconds = (ms: number): string =>
  (ms / 1000).toLocaleString(formatLocale, { maximumFractionDigits: 1 });

function Captions({ live }: { live: RunningLive }) {
  if (live.quiet_ms >= QUIET_MS) {
    return (
      <SeverityBadge severity="warn">
        {t("live.quiet", { minutes: Math.floor(live.quiet_ms / 60_000) })}
      </SeverityBadge>
    );
  }
  if (live.behind_ms === null) return <span className="quiet">{t("live.notBegun")}</span>;
  const isLate = live.behind_ms >= LATE_MS;
  return (
    <SeverityBadge severity={isLate ? "warn" : "success"}>
      {isLate ? t("live.behind", { seconds: seconds(live.behind_ms) }) : t("live.keepsUp")}
    </SeverityBadge>
  );
}

function Replica({ live }: { live: RunningLive }) {
  if (live.replica === null) return <span className="quiet">{t("live.noReplica")}</span>;
  if (live.replica.node === "") return <span className="quiet">{t("live.notReported")}</span>;
  return (
    <div>
      {live.replica.engine}
      <span className={list.sub}>{live.replica.node}</span>
    </div>
  );
}

/** Live recordings that run now: whose they are, how far behind their captions are, and a way to end them. */
export default function AdminLivePage() {
  usePageTitle(t("live.adminLive"));
  const { get, set } = useFilters();
  const end = useEndLive();
  const [doomed, setDoomed] = useState<RunningLive>();
  const [busy, setBusy] = useState(false);
  const { data, error, mutate } = useAdminList<RunningLive>(LIVE, { page: get("page") });
  useEffect(() => {
    const timer = setInterval(() => void mutate(), LOOK_MS);
    return () => clearInterval(timer);
  }, [mutate]);
  const endIt = async (live: RunningLive) => {
    setBusy(true);
    await end(live);
    setBusy(false);
    setDoomed(undefined);
  };
  const columns: Column<RunningLive>[] = [
    {
      label: t("live.recording"),
      cell: (live) => (
        <div className={list.address}>
          {live.name}
          <span className={list.sub}>
            {[live.language, live.readers_link ? t("live.link") : ""]
              .filter((words) => words !== "")
              .join(" · ")}
          </span>
        </div>
      ),
    },
    {
      label: t("live.owner"),
      cell: (live) => (
        <div className={list.address}>
          {live.owner}
          {live.team !== null && <span className={list.sub}>{live.team}</span>}
        </div>
      ),
    },
    {
      label: t("live.length"),
      cell: (live) => (
        <div>
          {duration(live.recorded_ms / 1000)}
          <span className={list.sub}>{t("live.since", { began: moment(live.began_at) })}</span>
        </div>
      ),
    },
    { label: t("live.captions"), cell: (live) => <Captions live={live} /> },
    { label: t("live.replica"), cell: (live) => <Replica live={live} /> },
    {
      label: t("live.actions"),
      cell: (live) => (
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          leftSection={<IconPlayerStop size={15} />}
          aria-label={t("live.end.label", { name: live.name })}
          onClick={() => setDoomed(live)}
        >
          {t("live.end")}
        </Button>
      ),
    },
  ];
  return (
    <>
      <AdminHead
        title={t("live.title")}
        count={data && t("live.total", { total: data.meta.total })}
      />
      <AdminTable
        name={t("live.recordings")}
        page={data}
        error={error}
        columns={columns}
        rowKey={(live) => live.id}
        empty={t("live.empty")}
        onPage={(page) => set({ page: String(page) })}
        onRetry={() => void mutate()}
      />
      <Modal
        opened={doomed !== undefined}
        onClose={() => setDoomed(undefined)}
        title={t("live.end.question")}
      >
        <p>{t("live.end.about", { name: doomed?.name, owner: doomed?.owner })}</p>
        <div className={list.buttons}>
          <Button variant="default" onClick={() => setDoomed(undefined)}>
            {t("live.letItRun")}
          </Button>
          <Button
            color="red"
            loading={busy}
            onClick={() => {
              if (doomed !== undefined) void endIt(doomed);
            }}
          >
            {t("live.end")}
          </Button>
        </div>
      </Modal>
    </>
  );
}
