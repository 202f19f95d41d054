import { Anchor, Button, Checkbox } from "@mantine/core";
import { useState } from "react";
import { useSWRConfig } from "swr";
import { unlessOpen } from "../../../domain/captions/changes";
import { keys } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/quality";
import { EmptyState } from "../../../platform/page/EmptyState";
import { toast } from "../../../platform/notices/toast";
import type { PanelProps } from "../../editor/panels/panel";
import { useView } from "../../editor/useView";
import { recut, reportUrl, SEVERITIES } from "./data";
import { FindingItem } from "./FindingItem";
import { useTexts } from "./LineMark";
import { ProfileChoice } from "./ProfileChoice";
import { qualityOf } from "../../editor/Quality";
import type { Finding, Fix, ServerFinding } from "../../../domain/captions/quality/types";
import { useFixAll } from "./useFixAll";
import { useFindings, useReport } from "./useQuality";
import styles from "./quality.module.css";

/** Findings of a severity that are shown before somebody asks for more. */
const FIRST = 100;
const keyOf = ({ rule, lines: [line] }: Finding | ServerFinding): string => `${rule} ${line}`;

export default function QualityPanel({ file, editing, readOnly }: PanelProps) {
  const quality = qualityOf(editing.store);
  const { about, findings, only } = useFindings(editing);
  const { data: report, error } = useReport(file, editing);
  const { safe, isBusy, run, fixAll } = useFixAll(file, editing, report);
  const language = useView(editing.store, (view) => view.captions.language);
  const lines = useView(editing.store, (view) => view.captions.lines);
  const texts = useTexts();
  const { mutate } = useSWRConfig();
  const [asksRecut, setAsksRecut] = useState(false);
  const [shown, setShown] = useState(FIRST);

  const fixes = new Map<string, ServerFinding>(report?.findings.map((one) => [keyOf(one), one]));
  const fixOf = (finding: Finding): Fix | undefined => {
    const known = fixes.get(keyOf(finding));
    // The line may have changed since the report: its values say so.
    return known?.fix != null && JSON.stringify(known.values) === JSON.stringify(finding.values)
      ? known.fix
      : undefined;
  };
  const fixOne = (finding: Finding, fix: Fix) => {
    const change = { line: fix.line, content: fix.content, start: fix.start, end: fix.end };
    const title = texts?.titles[finding.rule] ?? finding.rule;
    const done = editing.change(
      t("fixStep", { title }),
      fix.removes ? { removed: [fix.line] } : { changes: [change] },
    );
    if (done == null) return;
    quality.look();
    quality.set({ said: t("fixedOne", { title }) });
  };
  const cutAgain = () =>
    run(async () => {
      const { revision } = editing.store.get().captions;
      await recut(file.slug, language, revision);
      const track = language === file.language ? undefined : language;
      await Promise.all([
        mutate(unlessOpen(keys.captions(file.slug, track))),
        mutate(keys.translations(file.slug)),
      ]);
      setAsksRecut(false);
      quality.set({ said: t("cutAgainDone") });
      toast("success", t("cutAgainDone"));
    });

  if (about === undefined || texts === undefined) return <EmptyState />;
  const numberOf = new Map(lines.map((line, index) => [line.id, index + 1]));
  const lineOf = new Map(lines.map((line) => [line.id, line]));
  return (
    <div className={styles.panel}>
      <ProfileChoice file={file} language={language} readOnly={readOnly} />
      <div className={styles.actions}>
        <Button
          size="compact-md"
          disabled={readOnly || safe === 0}
          loading={isBusy && !asksRecut}
          data-testid="fix-all"
          onClick={() => void fixAll()}
        >
          {t("fixAll", { count: safe })}
        </Button>
        <Button
          size="compact-md"
          variant="default"
          disabled={readOnly || lines.length === 0}
          data-testid="cut-again"
          onClick={() => setAsksRecut(!asksRecut)}
        >
          {t("cutAgain")}
        </Button>
        <Anchor href={reportUrl(file.slug, language)} download size="sm">
          {t("csv")}
        </Anchor>
      </div>
      {asksRecut && (
        <div className={styles.ask} role="group" aria-label={t("cutAgain")}>
          <p>{t("cutAgainWhat")}</p>
          <Button
            size="compact-md"
            loading={isBusy}
            data-testid="cut-again-now"
            onClick={() => void cutAgain()}
          >
            {t("cutAgainNow")}
          </Button>
          <Button size="compact-md" variant="subtle" onClick={() => setAsksRecut(false)}>
            {t("cancel")}
          </Button>
        </div>
      )}
      <Checkbox
        label={t("onlyWithFindings")}
        checked={only}
        data-testid="only-findings"
        onChange={(event) => quality.set({ only: event.currentTarget.checked })}
      />
      {error !== undefined && (
        <p className={styles.problem} role="alert">
          {error.message}
        </p>
      )}
      {findings.length === 0 && (
        <p className="quiet" data-testid="no-findings">
          {t("clean")}
        </p>
      )}
      {SEVERITIES.map((severity) => {
        const some = findings.filter((one) => one.severity === severity);
        if (some.length === 0) return null;
        return (
          <section key={severity} aria-label={texts.severities[severity]}>
            <h3 className={styles.group}>
              {texts.severities[severity]} <span className="quiet tabular">{some.length}</span>
            </h3>
            <ul className={styles.list} data-testid={`findings-${severity}`}>
              {some.slice(0, shown).map((finding) => (
                <FindingItem
                  key={keyOf(finding)}
                  finding={finding}
                  fix={fixOf(finding)}
                  line={lineOf.get(finding.lines[0] ?? "")}
                  number={numberOf.get(finding.lines[0] ?? "") ?? 0}
                  texts={texts}
                  editing={editing}
                  readOnly={readOnly}
                  onFix={fixOne}
                />
              ))}
            </ul>
            {some.length > shown && (
              <Button size="compact-sm" variant="subtle" onClick={() => setShown(shown + FIRST)}>
                {t("more", { count: some.length - shown })}
              </Button>
            )}
          </section>
        );
      })}
    </div>
  );
}
