import { SegmentedControl, Title } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../../platform/messages/admin";
import { dateFormat } from "../../../platform/i18n/dates";
import { formatLocale } from "../../../platform/i18n/locale";
import { EmptyState } from "../../../platform/page/EmptyState";
import { usePageTitle } from "../../../platform/page/usePageTitle";
import { StatusBadge } from "../../../domain/files/StatusBadge";
import { spoken } from "../../../domain/files/waiting";
import { useFilters } from "../list/useFilters";
import { moment, money } from "../list/words";
import { ChartPanel, Panel, Table } from "./Panel";
import { SystemPanel } from "./SystemPanel";
import { Tiles } from "./Tiles";
import { figureUrl, RANGES, useDashboard, type Dashboard } from "./data";
import styles from "./dashboard.module.css";

const WEEK = "168";
const ACCENT = "var(--accent)";
const AMBER = "var(--now)";

/** How the installation does: people, work, failures, storage and money. */
export default function DashboardPage() {
  usePageTitle(t("dashboard.adminDashboard"));
  const { get, set } = useFilters();
  const hours = RANGES.some(({ value }) => value === get("hours")) ? get("hours") : WEEK;
  const { data, error, mutate } = useDashboard(hours);
  return (
    <div className={styles.dashboard}>
      <header className={styles.head}>
        <div>
          <Title order={1}>{t("dashboard.dashboard")}</Title>
          <p className="quiet" role="status">
            {data === undefined
              ? " "
              : t("dashboard.asOf", { computedAt: moment(data.computed_at) })}
          </p>
        </div>
        <SegmentedControl
          aria-label={t("dashboard.range")}
          data={RANGES}
          value={hours}
          onChange={(value) => set({ hours: value })}
        />
      </header>
      {data !== undefined ? (
        <Figures data={data} hours={hours} />
      ) : error === undefined ? (
        <EmptyState />
      ) : (
        <EmptyState
          loading={false}
          hero="lost"
          title={t("dashboard.loadFailed")}
          description={error.message}
          add={{
            label: t("dashboard.tryAgain"),
            contentType: "figures",
            onAdd: () => void mutate(),
          }}
        />
      )}
      <SystemPanel />
    </div>
  );
}

function Figures({ data, hours }: { data: Dashboard; hours: string }) {
  const at = (iso: string) => stepWords(iso, data.step_s);
  const currency = data.revenue[0]?.currency ?? "usd";
  const step = data.step_s < 86_400 ? t("dashboard.hour") : t("dashboard.day");
  return (
    <>
      <Tiles data={data} />
      <div className={styles.grid}>
        <ChartPanel
          title={t("dashboard.minutesTranscribed")}
          unit={step}
          csv={figureUrl("minutes", hours)}
          points={data.minutes.by_time.map((point) => ({
            at: at(point.at),
            minutes: Math.round(point.value * 10) / 10,
          }))}
          series={[{ name: "minutes", label: t("dashboard.minutes"), color: ACCENT }]}
          format={(value) => value.toLocaleString(formatLocale)}
        />
        <ChartPanel
          title={t("dashboard.newPeople")}
          unit={step}
          csv={figureUrl("people", hours)}
          points={data.people.by_time.map((point) => ({ at: at(point.at), people: point.value }))}
          series={[{ name: "people", label: t("dashboard.people"), color: ACCENT }]}
          format={(value) => value.toLocaleString(formatLocale)}
        />
        <ChartPanel
          title={t("dashboard.revenue")}
          note={t("dashboard.revenueAbout")}
          unit={t("dashboard.month")}
          csv={figureUrl("revenue", hours)}
          points={data.revenue
            .filter((month) => month.currency === currency)
            .map(({ month, stripe, contract }) => ({
              at: monthWords(month),
              stripe: stripe / 100,
              contract: contract / 100,
            }))}
          series={[
            { name: "stripe", label: t("dashboard.subscriptions"), color: ACCENT },
            { name: "contract", label: t("dashboard.contracts"), color: AMBER },
          ]}
          format={(value) => money(value * 100, currency)}
        />
        <Queues data={data} hours={hours} />
        <Engines data={data} hours={hours} />
        <Failures data={data} hours={hours} />
        <Files title={t("dashboard.newestFiles")} files={data.newest} to="/admin/contents" />
        <Files
          title={t("dashboard.failedFiles")}
          files={data.failed}
          to="/admin/contents?status=failed"
          none={t("dashboard.files.noneFailed")}
        />
      </div>
    </>
  );
}

const wait = (seconds: number | null): string => (seconds === null ? "–" : spoken(seconds));

function Queues({ data, hours }: { data: Dashboard; hours: string }) {
  return (
    <Panel
      title={t("dashboard.queues")}
      note={t("dashboard.queueAbout")}
      csv={figureUrl("queues", hours)}
    >
      <Table
        name={t("dashboard.queues")}
        columns={[
          { label: t("dashboard.work") },
          { label: t("dashboard.waiting"), numeric: true },
          { label: t("dashboard.running"), numeric: true },
          { label: t("dashboard.oldest"), numeric: true },
          { label: t("dashboard.medianWait"), numeric: true },
          { label: "95 %", numeric: true },
        ]}
        rows={data.queues.map((queue) => [
          queue.work,
          queue.waiting.toLocaleString(formatLocale),
          queue.running.toLocaleString(formatLocale),
          wait(queue.oldest_wait_s),
          wait(queue.median_wait_s),
          wait(queue.p95_wait_s),
        ])}
      />
    </Panel>
  );
}

function Engines({ data, hours }: { data: Dashboard; hours: string }) {
  return (
    <Panel
      title={t("dashboard.models.title")}
      note={
        data.gpu.is_cpu_only
          ? t("dashboard.models.cpuOnly")
          : t("dashboard.gpu.minutes", { minutes: data.gpu.minutes })
      }
      csv={figureUrl("engines", hours)}
    >
      {data.engines.length === 0 ? (
        <p className="quiet">{t("dashboard.models.none")}</p>
      ) : (
        <Table
          name={t("dashboard.models.title")}
          columns={[
            { label: t("dashboard.work") },
            { label: t("dashboard.model") },
            { label: t("dashboard.device") },
            { label: t("dashboard.jobs"), numeric: true },
            { label: t("dashboard.soundMinutes"), numeric: true },
            { label: t("dashboard.workMinutes"), numeric: true },
          ]}
          rows={data.engines.map((engine) => [
            engine.work,
            engine.engine,
            engine.device ?? "–",
            engine.jobs.toLocaleString(formatLocale),
            engine.media_minutes.toLocaleString(formatLocale),
            engine.compute_minutes.toLocaleString(formatLocale),
          ])}
        />
      )}
    </Panel>
  );
}

function Failures({ data, hours }: { data: Dashboard; hours: string }) {
  return (
    <Panel title={t("dashboard.failures")} csv={figureUrl("failures", hours)}>
      {data.failures.length === 0 ? (
        <p className="quiet">{t("dashboard.failures.none")}</p>
      ) : (
        <Table
          name={t("dashboard.failures")}
          columns={[
            { label: t("dashboard.work") },
            { label: t("dashboard.code") },
            { label: t("dashboard.jobs"), numeric: true },
          ]}
          rows={data.failures.map(({ work, code, jobs }) => [
            work,
            <code key="code">{code}</code>,
            jobs.toLocaleString(formatLocale),
          ])}
        />
      )}
    </Panel>
  );
}

interface FilesProps {
  title: string;
  files: Dashboard["newest"];
  to: string;
  none?: string;
}

function Files({ title, files, to, none = t("dashboard.files.none") }: FilesProps) {
  return (
    <Panel title={title} tools={<Link to={to}>{t("dashboard.all")}</Link>}>
      {files.length === 0 ? (
        <p className="quiet">{none}</p>
      ) : (
        <ul className={styles.files}>
          {files.map((file) => (
            <li key={file.id}>
              <Link to={`/admin/contents?file=${file.slug}`}>{file.name}</Link>
              <StatusBadge status={file.status} code={file.error_code} />
              <span className="quiet">
                {file.owner.email} · {moment(file.created_at)}
                {file.error !== null && ` · ${file.error}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** The hour or the day of a step, in UTC. */
function stepWords(iso: string, stepS: number): string {
  const options: Intl.DateTimeFormatOptions =
    stepS < 86_400
      ? { hour: "2-digit", minute: "2-digit", hour12: false }
      : { day: "numeric", month: "short" };
  return dateFormat({ ...options, timeZone: "UTC" })(iso);
}

const monthWords = dateFormat({ month: "short", year: "2-digit", timeZone: "UTC" });
