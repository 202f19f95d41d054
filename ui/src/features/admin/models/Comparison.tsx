import { Alert } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../../platform/messages/admin";
import { Table, type TableColumn } from "../dashboard/Panel";
import { bytes, moment } from "../list/words";
import type { Models } from "./data";
import styles from "./models.module.css";

type Compared = NonNullable<Models["comparison"]>;
type Evidence = Compared["engines"][number];

const TIMES = {
  native: t("models.compared.native"),
  aligner: t("models.compared.aligner"),
  none: t("models.compared.none"),
};

const COLUMNS: TableColumn[] = [
  { label: t("models.compared.engine") },
  { label: t("models.compared.errors"), numeric: true },
  { label: t("models.compared.speed"), numeric: true },
  { label: t("models.compared.memory"), numeric: true },
  { label: t("models.languages") },
  { label: t("models.compared.times") },
  { label: t("models.licence") },
];

/** What `sagascript models compare` measured of the speech engines here, the one with the fewest errors first. */
export function Comparison({ comparison }: Pick<Models, "comparison">) {
  return (
    <section className={styles.catalogue} aria-label={t("models.compared")}>
      <h2>{t("models.compared")}</h2>
      {comparison === null ? (
        <p className="quiet">
          {t.rich("models.compared.empty", { code: (parts) => <code>{parts}</code> })}
        </p>
      ) : (
        <Figures comparison={comparison} />
      )}
    </section>
  );
}

function Figures({ comparison }: { comparison: Compared }) {
  const { sample, seconds, words, measured_at, engines, advice } = comparison;
  return (
    <>
      <p className="quiet">
        {t("models.compared.sample", {
          sample,
          seconds: Math.round(seconds),
          words,
          measuredAt: moment(measured_at),
        })}
      </p>
      {advice !== null && <Alert color="blue">{advice}</Alert>}
      <div className={`card ${styles.compared}`}>
        <Table name={t("models.compared")} columns={COLUMNS} rows={engines.map(rowOf)} />
      </div>
    </>
  );
}

/** Engines of more languages show their number. */
const NAMED = 4;

function rowOf(engine: Evidence): ReactNode[] {
  const {
    label,
    errors,
    speed,
    memory,
    languages,
    word_times,
    takes_vocabulary,
    punctuates,
    licence,
  } = engine;
  const spoken =
    languages.length === 0
      ? t("models.compared.many")
      : languages.length > NAMED
        ? t("models.languages.count", { languages: languages.length })
        : languages.join(", ");
  return [
    <span key="label" data-testid="compared">
      {label}
      {engine.problem !== null && <span className={styles.obstacle}> {engine.problem}</span>}
    </span>,
    errors === null ? "–" : t("models.compared.percent", { errors }),
    speed === null ? "–" : t("models.compared.number", { speed }),
    memory === null ? "–" : bytes(memory).replace(" ", "\u00a0"),
    [
      spoken,
      takes_vocabulary ? t("models.compared.terms") : "",
      punctuates ? "" : t("models.compared.bare"),
    ]
      .filter((words) => words !== "")
      .join(" · "),
    TIMES[word_times],
    licence ?? "",
  ];
}
