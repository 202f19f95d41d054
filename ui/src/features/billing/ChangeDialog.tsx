import { Alert, Button, Group, Modal } from "@mantine/core";
import useSWR from "swr";
import { t } from "../../i18n/en/billing";
import { FALLBACKS, preview, sentenceOf } from "./data";
import type { Period, Preview, Tier } from "./types";
import { day, money, per } from "./words";
import styles from "./billing.module.css";

interface Props {
  tier: Tier;
  period: Period;
  label: string;
  busy: boolean;
  problem: string | undefined;
  onConfirm: () => void;
  onClose: () => void;
}

/** What a change costs and when it begins, before it is made. */
export function ChangeDialog({ tier, period, label, busy, problem, onConfirm, onClose }: Props) {
  const { data, error } = useSWR<Preview, Error>(
    `preview/${tier}/${period}`,
    () => preview(tier, period),
    { revalidateOnFocus: false, dedupingInterval: 0 },
  );
  return (
    <Modal opened onClose={onClose} title={t("changeToLabel", { label })}>
      {data === undefined && error === undefined && (
        <div className={`skeleton ${styles.previewWait}`} role="status" aria-label={t("loading")} />
      )}
      {error !== undefined && (
        <Alert color="red" role="alert" mb="md">
          {sentenceOf(error, FALLBACKS.change)}
        </Alert>
      )}
      {data !== undefined && <Costs preview={data} />}
      {problem !== undefined && (
        <Alert color="red" role="alert" mb="md">
          {problem}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t("notNow")}
        </Button>
        <Button loading={busy} disabled={data === undefined} onClick={onConfirm}>
          {data?.is_immediate === true
            ? t("payDuenowAndChange", { dueNow: money(data.due_now) })
            : t("change")}
        </Button>
      </Group>
    </Modal>
  );
}

function Costs({ preview }: { preview: Preview }) {
  const then = `${money(preview.price)} ${per(preview.period)}`;
  if (!preview.is_immediate) {
    return (
      <p className={styles.costs}>
        {t("nothingIsChargedNow")} {preview.at !== null && t("onAt", { at: day(preview.at) })}
        {t("yourPlanChangesAndFrom", { then })}
      </p>
    );
  }
  return (
    <div className={styles.costs}>
      <p>{t("yourNewPlanBeginsAt")}</p>
      <ul>
        {preview.lines.map((line) => (
          <li key={line.text}>
            <span>{line.text}</span>
            <span className="tabular">{money(line.amount)}</span>
          </li>
        ))}
        {preview.discount > 0 && (
          <li>
            <span>{t("discount")}</span>
            <span className="tabular">{money(-preview.discount)}</span>
          </li>
        )}
        <li>
          <strong>{t("toPayNow")}</strong>
          <strong className="tabular">{money(preview.due_now)}</strong>
        </li>
      </ul>
      <p>{t("afterThatItCostsThen", { then })}</p>
    </div>
  );
}
