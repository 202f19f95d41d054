import { t } from "../../../platform/i18n/en/adminDashboard";
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
    [t("people"), people.total.toLocaleString(formatLocale), t("newNew", { new: people.new })],
    [t("activePeople"), people.active.toLocaleString(formatLocale), t("addedAFileInThe")],
    [t("minutesTranscribed"), minutes.total.toLocaleString(formatLocale), t("ofSoundInTheRange")],
    [
      t("gpuMinutes"),
      gpu.is_cpu_only ? t("cpuOnly") : gpu.minutes.toLocaleString(formatLocale),
      gpu.is_cpu_only ? t("noModelRunsOnA") : t("ofFinishedWork"),
    ],
    [
      t("waitingJobs"),
      sum(queues.map(({ waiting }) => waiting)).toLocaleString(formatLocale),
      t("sumRunning", { sum: sum(queues.map(({ running }) => running)) }),
    ],
    [
      t("failedJobs"),
      sum(failures.map(({ jobs }) => jobs)).toLocaleString(formatLocale),
      t("inTheRange"),
    ],
    [
      t("storage"),
      bytes(storage.original_bytes + storage.export_bytes),
      storage.free_bytes === null
        ? t("files", { files: storage.files })
        : t("freebytesFree", { freeBytes: bytes(storage.free_bytes) }),
    ],
    [
      t("revenue"),
      month === undefined ? "–" : money(month.stripe + month.contract, month.currency),
      "this month",
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
