import { Alert, Button, Group, Modal } from "@mantine/core";
import { sentenceOf } from "../../platform/api/client";
import { t } from "../../platform/messages/billing";
import { FALLBACKS, usePreview } from "./data";
import type { Period, Plan, Preview, Tier } from "./types";
import { costOf, day, money } from "./words";
import styles from "./billing.module.css";

interface Props {
  tier: Tier;
  period: Period;
  plan: Plan | undefined;
  busy: boolean;
  problem: string | undefined;
  onConfirm: (shown: Preview) => void;
  onClose: () => void;
}

/** What a change costs and when it begins, before it is made. */
export function ChangeDialog({ tier, period, plan, busy, problem, onConfirm, onClose }: Props) {
  const { data: held, error, isValidating } = usePreview(tier, period);
  // What was shown when the dialog was open before may cost something else by now.
  const data = isValidating && !busy ? undefined : held;
  return (
    <Modal opened onClose={onClose} title={t("change.title", { label: plan?.label ?? "" })}>
      {data === undefined && error === undefined && (
        <div className={`skeleton ${styles.previewWait}`} role="status" aria-label={t("loading")} />
      )}
      {error !== undefined && (
        <Alert color="red" role="alert" mb="md">
          {sentenceOf(error, FALLBACKS.change)}
        </Alert>
      )}
      {data !== undefined && <Costs preview={data} monthly={plan?.minutes ?? 0} />}
      {problem !== undefined && (
        <Alert color="red" role="alert" mb="md">
          {problem}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t("notNow")}
        </Button>
        <Button
          loading={busy}
          disabled={data === undefined}
          onClick={() => data !== undefined && onConfirm(data)}
        >
          {data?.is_immediate === true
            ? t("change.pay", { dueNow: money(data.due_now) })
            : t("change")}
        </Button>
      </Group>
    </Modal>
  );
}

function Costs({ preview, monthly }: { preview: Preview; monthly: number }) {
  const then = costOf(preview);
  if (!preview.is_immediate) {
    return (
      <p className={styles.costs}>
        {t("change.free")}{" "}
        {t("change.later", { at: preview.at === null ? "none" : day(preview.at), then })}
      </p>
    );
  }
  return (
    <div className={styles.costs}>
      <p>{t("change.now")}</p>
      <ul>
        {preview.lines.map((line) => (
          <li key={line.text}>
            <span>{line.text}</span>
            <span className="tabular">{money(line.amount)}</span>
          </li>
        ))}
        {preview.discount !== 0 && (
          <li>
            <span>{t("discount")}</span>
            <span className="tabular">{money(-preview.discount)}</span>
          </li>
        )}
        <li>
          <strong>{t("change.due")}</strong>
          <strong className="tabular">{money(preview.due_now)}</strong>
        </li>
      </ul>
      <p>
        {t("change.after", { then })}{" "}
        {t("bringsMoreMinutes", { minutes: preview.seconds / 60, monthly })}
      </p>
    </div>
  );
}
