import { Button } from "@mantine/core";
import { t } from "../../../platform/messages/quality";
import type { Editing } from "../../editor/editing";
import { useClock } from "../../editor/clock";
import { Rows } from "../rows/Rows";
import type { Line } from "../../../domain/captions/types";
import { filled } from "./data";
import { goToLineOf } from "./goToFinding";
import { Sign } from "./LineMark";
import type { Finding, Fix, Texts } from "../../../domain/captions/quality/types";
import styles from "./quality.module.css";

interface Props {
  finding: Finding;
  fix: Fix | undefined;
  line: Line | undefined;
  number: number;
  texts: Texts;
  editing: Editing;
  readOnly: boolean;
  onFix: (finding: Finding, fix: Fix) => void;
}

/** A finding: a click goes to its line. A safe fix shows what was, what will be and why. */
export function FindingItem({
  finding,
  fix,
  line,
  number,
  texts,
  editing,
  readOnly,
  onFix,
}: Props) {
  const title = texts.titles[finding.rule] ?? finding.rule;
  return (
    <li
      className={styles.item}
      data-severity={finding.severity}
      data-testid="finding"
      data-rule={finding.rule}
    >
      <button type="button" className={styles.jump} onClick={() => goToLineOf(editing, finding)}>
        <Sign severity={finding.severity} label={texts.severities[finding.severity] ?? ""} />
        <b>{t("lineNumber", { number, title })}</b>
        <span>{filled(texts.sentences[finding.rule], finding.values)}</span>
      </button>
      {fix !== undefined && line !== undefined && (
        <div className={styles.fix}>
          <BeforeAndAfter line={line} fix={fix} />
          <p className="quiet">{filled(texts.reasons[fix.reason_key], fix.values)}</p>
          <Button
            size="compact-sm"
            variant="light"
            disabled={readOnly}
            aria-label={t("fixLine", { number, title })}
            data-testid="fix-one"
            onClick={() => onFix(finding, fix)}
          >
            {t("fix")}
          </Button>
        </div>
      )}
    </li>
  );
}

/** The text and the times of a line before and after a fix. */
export function BeforeAndAfter({ line, fix }: { line: Line; fix: Fix }) {
  const { show: stamp } = useClock();
  if (fix.removes) return null;
  const pairs: [string, string][] = [];
  if (fix.content !== null) pairs.push([line.text, fix.content]);
  if (fix.start !== null) pairs.push([stamp(line.start_ms), stamp(fix.start)]);
  if (fix.end !== null) pairs.push([stamp(line.end_ms), stamp(fix.end)]);
  return pairs.map(([was, becomes]) => (
    <p key={was} className={styles.change}>
      <del>
        <span className="visually-hidden">{t("was")} </span>
        <Rows text={was} />
      </del>
      <ins>
        <span className="visually-hidden">{t("becomes")} </span>
        <Rows text={becomes} />
      </ins>
    </p>
  ));
}
