import { Button } from "@mantine/core";
import { useId, useState, type ReactNode } from "react";
import { t } from "../../../platform/messages/admin";
import { later } from "../../../platform/failure/Later";
import { IconDownload } from "../../../platform/theme/icons";
import type { Series } from "./Chart";
import styles from "./dashboard.module.css";

const Chart = later(
  () => import("./Chart"),
  () => <div className={styles.chartRoom} />,
);

interface PanelProps {
  title: string;
  note?: string;
  csv?: string;
  tools?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

export function Panel({ title, note, csv, tools, wide = false, children }: PanelProps) {
  const id = useId();
  return (
    <section className={`card ${styles.panel}`} aria-labelledby={id} data-wide={wide || undefined}>
      <header>
        <div>
          <h2 id={id}>{title}</h2>
          {note !== undefined && <p className="quiet">{note}</p>}
        </div>
        <span className={styles.tools}>
          {tools}
          {csv !== undefined && (
            <Button
              size="compact-sm"
              variant="subtle"
              component="a"
              href={csv}
              download
              aria-label={t("dashboard.chart.csv", { title })}
              leftSection={<IconDownload size={15} />}
            >
              CSV
            </Button>
          )}
        </span>
      </header>
      {children}
    </section>
  );
}

export interface TableColumn {
  label: string;
  numeric?: boolean;
}

/** A small table; `rows` are cells in the order of the columns. */
export function Table(props: { name: string; columns: TableColumn[]; rows: ReactNode[][] }) {
  const { name, columns, rows } = props;
  return (
    <div
      className={styles.scroll}
      tabIndex={0}
      role="region"
      aria-label={t("dashboard.nameTable", { name })}
    >
      <table className={styles.table} aria-label={name}>
        <thead>
          <tr>
            {columns.map(({ label, numeric }) => (
              <th key={label} scope="col" data-numeric={numeric || undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, index) => (
                <td key={index} data-numeric={columns[index]?.numeric || undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ChartPanelProps {
  title: string;
  note?: string;
  csv?: string;
  /** What the first column of the table holds. */
  unit: string;
  points: Record<string, string | number>[];
  series: Series[];
  format?: (value: number) => string;
}

/** A chart, or the same numbers as a table. */
export function ChartPanel(props: ChartPanelProps) {
  const { title, note, csv, unit, points, series, format = String } = props;
  const [asTable, setAsTable] = useState(false);
  return (
    <Panel
      title={title}
      note={note}
      csv={csv}
      tools={
        <Button size="compact-sm" variant="subtle" onClick={() => setAsTable(!asTable)}>
          {asTable ? t("dashboard.chart.show") : t("dashboard.chart.showTable")}
        </Button>
      }
    >
      {!asTable && <Chart data={points} series={series} format={format} />}
      <div className={asTable ? undefined : "visually-hidden"}>
        <Table
          name={title}
          columns={[{ label: unit }, ...series.map(({ label }) => ({ label, numeric: true }))]}
          rows={points.map((point) => [
            point.at,
            ...series.map(({ name }) => format(Number(point[name] ?? 0))),
          ])}
        />
      </div>
    </Panel>
  );
}
