import { Button, Select } from "@mantine/core";
import { useDeferredValue, useMemo, useState } from "react";
import { EmptyState } from "../../../platform/page/EmptyState";
import { t } from "../../../platform/messages/editing";
import type { Editing } from "../../editor/editing";
import { Changed } from "../rows/Changed";
import { useClock } from "../../editor/clock";
import { useView } from "../../editor/useView";
import { differencesOf, useVersionLines, type Difference, type Version } from "./data";
import { nameOf, titleOf, whenOf } from "./words";
import styles from "./history.module.css";

/** More rows than anybody reads; the version can be restored as a whole. */
const SHOWN_MAX = 100;
const NOW = "now";

interface Props {
  slug: string;
  version: number;
  /** All that one can compare with, the newest first, and which of them is the present one. */
  versions: readonly Version[];
  now: number;
  editing: Editing;
  readOnly: boolean;
  /** Without lines: the whole version. */
  onRestore: (lines?: string[]) => void;
}

/**
 * The lines of a version that are not the same now, each with a way to bring it back; or what differs between it and any
 * other version.
 */
export function VersionDifferences(props: Props) {
  const { slug, version, versions, now, editing, readOnly, onRestore } = props;
  const [otherNumber, setOther] = useState(NOW);
  const other = otherNumber === NOW ? undefined : Number(otherNumber);
  const language = useView(editing.store, (view) => view.captions.language);
  const lines = useDeferredValue(useView(editing.store, (view) => view.captions.lines));
  const { data, error } = useVersionLines(slug, language, version);
  const { data: others, error: otherError } = useVersionLines(slug, language, other);
  const later = other === undefined ? lines : others;
  const found = useMemo(
    () => (data === undefined || later === undefined ? [] : differencesOf(data, later)),
    [data, later],
  );
  const choice = (
    <Select
      size="xs"
      label={t("together.compareWith")}
      data={[
        { value: NOW, label: t("together.withNow") },
        ...versions
          .filter(({ number }) => number !== version && number !== now)
          .map((one) => ({
            value: String(one.number),
            label: `${nameOf(one) ?? titleOf(one)} · ${whenOf(one.at)}`,
          })),
      ]}
      value={otherNumber}
      searchable
      allowDeselect={false}
      onChange={(value) => setOther(value ?? NOW)}
    />
  );
  const problem = error ?? otherError;
  if (data === undefined || later === undefined)
    return problem === undefined ? <EmptyState /> : <p role="alert">{problem.message}</p>;
  const isPast = other !== undefined;
  if (found.length === 0)
    return (
      <div className={styles.differences}>
        {choice}
        <p className="quiet">{t(isPast ? "together.sameAsOther" : "together.same")}</p>
      </div>
    );
  return (
    <div className={styles.differences}>
      {choice}
      <div className={styles.head}>
        <span className="quiet">
          {t(isPast ? "together.differingFromOther" : "together.differing", {
            count: found.length,
          })}
        </span>
        {!readOnly && !isPast && (
          <Button size="compact-sm" data-testid="restore-version" onClick={() => onRestore()}>
            {t("together.restoreAll")}
          </Button>
        )}
      </div>
      <ul>
        {found.slice(0, SHOWN_MAX).map((one) => (
          <DifferenceRow
            key={one.id}
            difference={one}
            language={language}
            onRestore={readOnly || isPast ? undefined : () => onRestore([one.id])}
          />
        ))}
      </ul>
      {found.length > SHOWN_MAX && (
        <p className="quiet">{t("together.more", { count: found.length - SHOWN_MAX })}</p>
      )}
    </div>
  );
}

interface RowProps {
  difference: Difference;
  language: string;
  onRestore: (() => void) | undefined;
}

function DifferenceRow({ difference: { kind, now, then }, language, onRestore }: RowProps) {
  const { show: stamp } = useClock();
  const isMoved =
    now !== undefined &&
    then !== undefined &&
    (now.start_ms !== then.start_ms || now.end_ms !== then.end_ms);
  const span = (line: { start_ms: number; end_ms: number }) =>
    `${stamp(line.start_ms)} – ${stamp(line.end_ms)}`;
  const first = then ?? now;
  return (
    <li data-testid="difference" data-kind={kind}>
      <span className="quiet tabular">
        {isMoved
          ? t("together.movedTime", { old: span(then), now: span(now) })
          : first !== undefined && span(first)}
        {kind !== "changed" && ` · ${kind === "new" ? t("together.isNew") : t("together.isGone")}`}
      </span>
      <Changed old={then?.text ?? ""} now={now?.text ?? ""} language={language} />
      {onRestore !== undefined && (
        <Button variant="subtle" size="compact-xs" onClick={onRestore}>
          {t("together.restoreLine")}
        </Button>
      )}
    </li>
  );
}
