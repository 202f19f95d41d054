import { Badge, Button, Checkbox } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/messages/aitext";
import { Changed } from "../rows/Changed";
import { toast } from "../../../platform/notices/toast";
import type { Editing } from "../../editor/editing";
import { useView } from "../../editor/useView";
import type { Proofreading, Proposal } from "./data";
import styles from "./proofreading.module.css";

interface Props {
  proofreading: Proofreading;
  editing: Editing;
  readOnly: boolean;
}

/** The proposals that still fit their lines. Those that rewrite much are not chosen at first. */
export function Proposals({ proofreading: { proposals, lines: read }, editing, readOnly }: Props) {
  const lines = useView(editing.store, (view) => view.captions.lines);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const numbers = new Map(lines.map(({ id }, index) => [id, index + 1]));
  const texts = new Map(lines.map(({ id, text }) => [id, text]));
  const open = proposals.filter(({ line, before }) => texts.get(line) === before);
  const isDone = ({ line, after }: Proposal) => texts.get(line) === after;
  const gone = proposals.filter((one) => !open.includes(one) && !isDone(one)).length;
  const isChosen = ({ line, is_large }: Proposal) => is_large === toggled.has(line);
  const chosen = open.filter(isChosen);
  const choose = (wanted: boolean) =>
    setToggled(new Set(open.filter(({ is_large }) => is_large === wanted).map(({ line }) => line)));
  const accept = () => {
    const changes = chosen.map(({ line, after }) => ({ line, content: after }));
    const count = changes.length;
    if (editing.change(t("proofreading.step", { count }), { changes }) === undefined) return;
    toast("success", t("proofreading.accepted", { count }));
  };
  if (proposals.length === 0) return <p role="status">{t("proofreading.none", { lines: read })}</p>;
  return (
    <>
      <p role="status" data-testid="proposals">
        {t("proofreading.found", { count: open.length, lines: read })}
      </p>
      {gone > 0 && <p className="quiet">{t("proofreading.gone", { count: gone })}</p>}
      {open.length > 0 && (
        <div className={styles.buttons}>
          <Button
            size="xs"
            disabled={readOnly || chosen.length === 0}
            data-testid="accept-proposals"
            onClick={accept}
          >
            {t("proofreading.accept", { count: chosen.length })}
          </Button>
          <Button size="xs" variant="default" onClick={() => choose(true)}>
            {t("proofreading.all")}
          </Button>
          <Button size="xs" variant="default" onClick={() => choose(false)}>
            {t("proofreading.noneChosen")}
          </Button>
        </div>
      )}
      <ul className={styles.list}>
        {open.map((one) => (
          <li key={one.line} className={styles.proposal} data-testid="proposal">
            <Checkbox
              aria-label={t("proofreading.show", { number: numbers.get(one.line) ?? 0 })}
              checked={isChosen(one)}
              disabled={readOnly}
              onChange={() => {
                const next = new Set(toggled);
                if (!next.delete(one.line)) next.add(one.line);
                setToggled(next);
              }}
            />
            <div className={styles.texts}>
              <button type="button" className={styles.show} onClick={() => editing.goTo(one.line)}>
                {t("proofreading.show", { number: numbers.get(one.line) ?? 0 })}
              </button>
              <Changed old={one.before} now={one.after} language={undefined} />
              <span className="quiet">
                <Badge size="xs" variant="default">
                  {t(`proofreading.${one.kind}`)}
                </Badge>{" "}
                {one.reason}
              </span>
              {one.is_large && <span className={styles.large}>{t("proofreading.large")}</span>}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
