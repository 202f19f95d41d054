import { Button } from "@mantine/core";
import { t } from "../../../platform/messages/quality";
import { IconCircleCheck } from "../../../platform/theme/icons";
import { useEditor } from "../../editor/context";
import { usePanels } from "../../editor/panels/usePanels";
import type { Finding } from "../../../domain/captions/quality/types";
import { useTexts } from "./LineMark";
import { useFixAll } from "./useFixAll";
import { useFindings, useReport } from "./useQuality";
import styles from "./quality.module.css";

interface Props {
  /** Closes the dialog that this stands in. */
  onLeave: () => void;
}

/** What the quality check finds before an export: fix it, look at it, or export anyway. */
export function ExportCheck({ onLeave }: Props) {
  const { file, editing, state } = useEditor();
  const panels = usePanels();
  const { about, findings } = useFindings(editing);
  const { data: report } = useReport(file, editing);
  const { safe, isBusy, fixAll } = useFixAll(file, editing, report);
  const texts = useTexts();
  if (about === undefined || texts === undefined) return null;
  const counts = countsOf(findings);
  if (counts.length === 0) {
    return (
      <p className={styles.checked} data-testid="export-check">
        <IconCircleCheck size={17} aria-hidden="true" />
        {t(findings.length > 0 ? "onlyHints" : "clean")}
      </p>
    );
  }
  return (
    <section
      className={styles.beforeExport}
      aria-label={t("beforeExport")}
      data-testid="export-check"
    >
      <p>
        {counts
          .map(([rule, count]) => t("ruleCount", { title: texts.titles[rule] ?? rule, count }))
          .join(" · ")}
      </p>
      <div className={styles.actions}>
        <Button
          size="compact-md"
          disabled={state.kind !== "editable" || safe === 0}
          loading={isBusy}
          onClick={() => void fixAll()}
        >
          {t("fixAll", { count: safe })}
        </Button>
        <Button
          size="compact-md"
          variant="default"
          onClick={() => {
            onLeave();
            panels.open("quality");
          }}
        >
          {t("lookAtThem")}
        </Button>
      </div>
    </section>
  );
}

/** The rules that lines break, the most frequent first. Hints keep nobody from an export. */
function countsOf(findings: readonly Finding[]): [Finding["rule"], number][] {
  const counts = new Map<Finding["rule"], number>();
  for (const { rule, severity } of findings)
    if (severity !== "info") counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}
