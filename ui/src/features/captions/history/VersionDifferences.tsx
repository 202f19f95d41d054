import { Button } from "@mantine/core";
import { useDeferredValue, useMemo } from "react";
import { EmptyState } from "../../../platform/page/EmptyState";
import { t } from "../../../platform/messages/editing";
import type { Editing } from "../../editor/editing";
import { Changed } from "../rows/Changed";
import { useClock } from "../../editor/clock";
import { useView } from "../../editor/useView";
import { differencesOf, useVersionLines, type Difference } from "./data";
import styles from "./history.module.css";

/** More rows than anybody reads; the version can be restored as a whole. */
const SHOWN_MAX = 100;

interface Props {
  slug: string;
  version: number;
  editing: Editing;
  readOnly: boolean;
  /** Without lines: the whole version. */
  onRestore: (lines?: string[]) => void;
}

/** The lines of a version that are not the same now, each with a way to bring it back. */
export function VersionDifferences({ slug, version, editing, readOnly, onRestore }: Props) {
  const language = useView(editing.store, (view) => view.captions.language);
  const lines = useDeferredValue(useView(editing.store, (view) => view.captions.lines));
  const { data, error } = useVersionLines(slug, language, version);
  const found = useMemo(
    () => (data === undefined ? [] : differencesOf(data, lines)),
    [data, lines],
  );
  if (data === undefined) {
    return error === undefined ? <EmptyState /> : <p role="alert">{error.message}</p>;
  }
  if (found.length === 0) return <p className="quiet">{t("together.same")}</p>;
  return (
    <div className={styles.differences}>
      <div className={styles.head}>
        <span className="quiet">{t("together.differing", { count: found.length })}</span>
        {!readOnly && (
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
            onRestore={readOnly ? undefined : () => onRestore([one.id])}
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
