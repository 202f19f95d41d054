import { t } from "../../../platform/messages/admin";
import { formatLocale } from "../../../platform/i18n/locale";
import { bytes, money } from "../list/words";
import type { Dashboard } from "./data";
import styles from "./dashboard.module.css";

/** The figures that one looks at first. */
export function Tiles({ data }: { data: Dashboard }) {
  const { people, minutes, gpu, queues, failures, storage, revenue } = data;
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  const month = revenue.at(-1);
  const tiles: [string, string, string][] = [
    [
      t("dashboard.people"),
      people.total.toLocaleString(formatLocale),
      t("dashboard.newNew", { new: people.new }),
    ],
    [
      t("dashboard.activePeople"),
      people.active.toLocaleString(formatLocale),
      t("dashboard.files.added"),
    ],
    [
      t("dashboard.minutesTranscribed"),
      minutes.total.toLocaleString(formatLocale),
      t("dashboard.sound.inRange"),
    ],
    [
      t("dashboard.gpuMinutes"),
      gpu.is_cpu_only ? t("dashboard.cpuOnly") : gpu.minutes.toLocaleString(formatLocale),
      gpu.is_cpu_only ? t("dashboard.gpu.none") : t("dashboard.queue.finished"),
    ],
    [
      t("dashboard.waitingJobs"),
      sum(queues.map(({ waiting }) => waiting)).toLocaleString(formatLocale),
      t("dashboard.sumRunning", { sum: sum(queues.map(({ running }) => running)) }),
    ],
    [
      t("dashboard.failedJobs"),
      sum(failures.map(({ jobs }) => jobs)).toLocaleString(formatLocale),
      t("dashboard.inRange"),
    ],
    [
      t("dashboard.storage"),
      bytes(storage.original_bytes + storage.export_bytes),
      storage.free_bytes === null
        ? t("dashboard.files", { files: storage.files })
        : t("dashboard.storage.free", { freeBytes: bytes(storage.free_bytes) }),
    ],
    [
      t("dashboard.revenue"),
      month === undefined ? "–" : money(month.stripe + month.contract, month.currency),
      t("dashboard.thisMonth"),
    ],
  ];
  return (
    <dl className={styles.tiles}>
      {tiles.map(([name, value, note]) => (
        <div key={name} className="card">
          <dt>{name}</dt>
          <dd>
            <strong className="tabular">{value}</strong>
            <span className="quiet">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
