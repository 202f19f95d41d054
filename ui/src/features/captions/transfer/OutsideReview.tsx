import { Button, Checkbox, Group, Modal } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/messages/processing";
import { toast } from "../../../platform/notices/toast";
import { useClock } from "../../editor/clock";
import type { Editing } from "../../editor/editing";
import { Changed } from "../rows/Changed";
import type { Returned } from "./bringBack";
import styles from "./transfer.module.css";

/** A word that was replaced everywhere changes thousands of lines. */
const SHOWN = 200;

interface Props {
  returned: Returned;
  editing: Editing;
  language: string | undefined;
  onClose: () => void;
}

/** What a reader outside changed, line by line; what one accepts becomes one step of the history. */
export default function OutsideReview({ returned, editing, language, onClose }: Props) {
  const { show } = useClock();
  const { proposals, unplaced } = returned.review;
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState(SHOWN);
  const lines = new Map(editing.lines().map((line, at) => [line.id, { line, number: at + 1 }]));
  const open = proposals.filter(({ line }) => lines.get(line)?.line.locked === false);
  const accepted = open.filter(({ line }) => !refused.has(line));
  const choose = (ids: readonly string[], isAccepted: boolean) =>
    setRefused((held) => {
      const next = new Set(held);
      for (const id of ids) {
        if (isAccepted) next.delete(id);
        else next.add(id);
      }
      return next;
    });
  const apply = () => {
    const changes = accepted.map(({ line, proposed }) => ({ line, content: proposed }));
    if (changes.length > 0 && editing.change(t("transfer.review"), { changes }) === undefined)
      return;
    toast("success", t("transfer.reviewApplied", { count: changes.length }));
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("transfer.reviewTitle", { name: returned.name })}
      size={760}
    >
      <p className="quiet">{t("transfer.reviewHint", { count: proposals.length })}</p>
      <ul className={styles.proposals} aria-label={t("transfer.reviewChanges")}>
        {proposals.slice(0, shown).map(({ line: id, start_ms, text, proposed }) => {
          const known = lines.get(id);
          const locked = known?.line.locked === true;
          const time = show(known?.line.start_ms ?? start_ms);
          return (
            <li key={id} data-testid="outside-change">
              <Checkbox
                checked={!refused.has(id) && known !== undefined && !locked}
                disabled={known === undefined || locked}
                onChange={(event) => choose([id], event.currentTarget.checked)}
                label={
                  known === undefined
                    ? t("transfer.reviewGone", { time })
                    : t(locked ? "transfer.reviewLocked" : "transfer.reviewLine", {
                        number: known.number,
                        time,
                      })
                }
              />
              <Changed old={known?.line.text ?? text} now={proposed} language={language} />
            </li>
          );
        })}
      </ul>
      {proposals.length > shown && (
        <Button variant="subtle" size="compact-sm" onClick={() => setShown(shown + SHOWN)}>
          {t("transfer.reviewMore", { count: proposals.length - shown })}
        </Button>
      )}
      {unplaced.length > 0 && (
        <section className={styles.unplaced}>
          <h3>{t("transfer.reviewUnplaced", { count: unplaced.length })}</h3>
          <ul>
            {unplaced.map((text, index) => (
              <li key={index}>{text}</li>
            ))}
          </ul>
        </section>
      )}
      <Group justify="space-between" mt="lg">
        <Group gap="xs">
          <Button variant="subtle" size="compact-sm" onClick={() => setRefused(new Set())}>
            {t("transfer.reviewAll")}
          </Button>
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() =>
              choose(
                open.map(({ line }) => line),
                false,
              )
            }
          >
            {t("transfer.reviewNone")}
          </Button>
        </Group>
        <Group gap="xs">
          <Button variant="default" onClick={onClose}>
            {t("transfer.cancel")}
          </Button>
          <Button disabled={accepted.length === 0} onClick={apply} data-testid="apply-review">
            {t("transfer.reviewApply", { count: accepted.length })}
          </Button>
        </Group>
      </Group>
    </Modal>
  );
}
