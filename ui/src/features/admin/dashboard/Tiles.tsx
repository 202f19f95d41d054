import { bytes, counted, money } from "../list/words";
import type { Dashboard } from "./data";
import styles from "./dashboard.module.css";

/** The figures that one looks at first. */
export function Tiles({ data }: { data: Dashboard }) {
  const { people, minutes, gpu, queues, failures, storage, revenue } = data;
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  const month = revenue.at(-1);
  const tiles: [string, string, string][] = [
    ["People", people.total.toLocaleString("en"), `${people.new.toLocaleString("en")} new`],
    ["Active people", people.active.toLocaleString("en"), "added a file in the range"],
    ["Minutes transcribed", minutes.total.toLocaleString("en"), "of sound in the range"],
    [
      "GPU minutes",
      gpu.is_cpu_only ? "CPU only" : gpu.minutes.toLocaleString("en"),
      gpu.is_cpu_only ? "no model runs on a GPU" : "of finished work",
    ],
    [
      "Waiting jobs",
      sum(queues.map(({ waiting }) => waiting)).toLocaleString("en"),
      `${sum(queues.map(({ running }) => running)).toLocaleString("en")} running`,
    ],
    ["Failed jobs", sum(failures.map(({ jobs }) => jobs)).toLocaleString("en"), "in the range"],
    [
      "Storage",
      bytes(storage.original_bytes + storage.export_bytes),
      storage.free_bytes === null
        ? counted(storage.files, "file")
        : `${bytes(storage.free_bytes)} free`,
    ],
    [
      "Revenue",
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
