import { SegmentedControl, Title } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../../platform/i18n/en/adminDashboard";
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
  usePageTitle(t("adminDashboard"));
  const { get, set } = useFilters();
  const hours = RANGES.some(({ value }) => value === get("hours")) ? get("hours") : WEEK;
  const { data, error, mutate } = useDashboard(hours);
  return (
    <div className={styles.dashboard}>
      <header className={styles.head}>
        <div>
          <Title order={1}>{t("dashboard")}</Title>
          <p className="quiet" role="status">
            {data === undefined
              ? " "
              : t("asOfComputedatDaysAre", { computedAt: moment(data.computed_at) })}
          </p>
        </div>
        <SegmentedControl
          aria-label={t("range")}
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
          title={t("theFiguresCouldNotBe")}
          description={error.message}
          add={{ label: t("tryAgain"), contentType: "figures", onAdd: () => void mutate() }}
        />
      )}
      <SystemPanel />
    </div>
  );
}

function Figures({ data, hours }: { data: Dashboard; hours: string }) {
  const at = (iso: string) => stepWords(iso, data.step_s);
  const currency = data.revenue[0]?.currency ?? "usd";
  const step = data.step_s < 86_400 ? t("hour") : t("day");
  return (
    <>
      <Tiles data={data} />
      <div className={styles.grid}>
        <ChartPanel
          title={t("minutesTranscribed")}
          unit={step}
          csv={figureUrl("minutes", hours)}
          points={data.minutes.by_time.map((point) => ({
            at: at(point.at),
            minutes: Math.round(point.value * 10) / 10,
          }))}
          series={[{ name: "minutes", label: t("minutes"), color: ACCENT }]}
          format={(value) => value.toLocaleString(formatLocale)}
        />
        <ChartPanel
          title={t("newPeople")}
          unit={step}
          csv={figureUrl("people", hours)}
          points={data.people.by_time.map((point) => ({ at: at(point.at), people: point.value }))}
          series={[{ name: "people", label: t("people"), color: ACCENT }]}
          format={(value) => value.toLocaleString(formatLocale)}
        />
        <ChartPanel
          title={t("revenue")}
          note={t("paidInvoicesOfTheLast")}
          unit={t("month")}
          csv={figureUrl("revenue", hours)}
          points={data.revenue
            .filter((month) => month.currency === currency)
            .map(({ month, stripe, contract }) => ({
              at: monthWords(month),
              stripe: stripe / 100,
              contract: contract / 100,
            }))}
          series={[
            { name: "stripe", label: t("subscriptions"), color: ACCENT },
            { name: "contract", label: t("contracts"), color: AMBER },
          ]}
          format={(value) => money(value * 100, currency)}
        />
        <Queues data={data} hours={hours} />
        <Engines data={data} hours={hours} />
        <Failures data={data} hours={hours} />
        <Files title={t("newestFiles")} files={data.newest} to="/admin/contents" />
        <Files
          title={t("failedFiles")}
          files={data.failed}
          to="/admin/contents?status=failed"
          none={t("noFileHasFailed")}
        />
      </div>
    </>
  );
}

const wait = (seconds: number | null): string => (seconds === null ? "–" : spoken(seconds));

function Queues({ data, hours }: { data: Dashboard; hours: string }) {
  return (
    <Panel title={t("queues")} note={t("nowAndHowLongRecent")} csv={figureUrl("queues", hours)}>
      <Table
        name={t("queues")}
        columns={[
          { label: t("work") },
          { label: t("waiting"), numeric: true },
          { label: t("running"), numeric: true },
          { label: t("oldest"), numeric: true },
          { label: t("medianWait"), numeric: true },
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
      title={t("modelsAtWork")}
      note={
        data.gpu.is_cpu_only
          ? t("cpuOnlyNoModelHere")
          : t("minutesGpuMinutes", { minutes: data.gpu.minutes })
      }
      csv={figureUrl("engines", hours)}
    >
      {data.engines.length === 0 ? (
        <p className="quiet">{t("noModelFinishedAJob")}</p>
      ) : (
        <Table
          name={t("modelsAtWork")}
          columns={[
            { label: t("work") },
            { label: t("model") },
            { label: t("device") },
            { label: t("jobs"), numeric: true },
            { label: t("soundMinutes"), numeric: true },
            { label: t("workMinutes"), numeric: true },
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
    <Panel title={t("failures")} csv={figureUrl("failures", hours)}>
      {data.failures.length === 0 ? (
        <p className="quiet">{t("nothingFailedInThisRange")}</p>
      ) : (
        <Table
          name={t("failures")}
          columns={[
            { label: t("work") },
            { label: t("code") },
            { label: t("jobs"), numeric: true },
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

function Files({ title, files, to, none = t("thereAreNoFilesYet") }: FilesProps) {
  return (
    <Panel title={title} tools={<Link to={to}>{t("all")}</Link>}>
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
