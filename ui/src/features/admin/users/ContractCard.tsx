import { Button, NumberInput, TextInput, Title } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiError } from "../../../platform/api/client";
import { t } from "../../../platform/messages/admin";
import { formatLocale } from "../../../platform/i18n/locale";
import { toast } from "../../../platform/notices/toast";
import { day, money } from "../list/words";
import { ContractFields, contractOf, draftOf } from "./ContractFields";
import {
  endContract,
  giveMinutes,
  PERIODS,
  STATUSES,
  planLabel,
  setContract,
  type AdminUserDetail,
} from "./data";
import { PlanBadge } from "./PlanBadge";
import styles from "./users.module.css";

interface Props {
  user: AdminUserDetail;
  onChange: (user: AdminUserDetail) => void;
}

/** What the customer pays and may use: their subscription, and a contract that replaces its numbers. */
export function ContractCard({ user, onChange }: Props) {
  const { contract, subscription } = user;
  const inForce = contract?.is_in_force === true;
  const [draft, setDraft] = useState(draftOf(contract));
  const [isOpen, setOpen] = useState(false);
  const [errors, setErrors] = useState<Record<string, string[]>>({});
  const [busy, setBusy] = useState(false);

  const attempt = async (call: () => Promise<AdminUserDetail>, done: string) => {
    setBusy(true);
    setErrors({});
    try {
      onChange(await call());
      setOpen(false);
      toast("success", done);
    } catch (error) {
      if (error instanceof ApiError) setErrors(error.fields);
      toast("error", (error as Error).message);
    }
    setBusy(false);
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const ends_at = inForce ? contract.ends_at : null;
    void attempt(
      () => setContract(user.id, { ...contractOf(draft), ends_at }),
      t("users.contract.saved"),
    );
  };
  return (
    <section className={`card ${styles.section}`} aria-labelledby="contract">
      <div className={styles.sectionHead}>
        <Title order={2} id="contract">
          {t("users.contract.title")}
        </Title>
        {!isOpen && user.deleted_at === null && (
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              setDraft(draftOf(contract));
              setOpen(true);
            }}
          >
            {inForce ? t("users.editContract") : t("users.contract.create")}
          </Button>
        )}
      </div>
      <dl className={styles.facts}>
        <dt>{t("users.plan")}</dt>
        <dd>
          <PlanBadge plan={user.plan} />
        </dd>
        {subscription !== null && (
          <>
            <dt>{t("users.subscription")}</dt>
            <dd>
              {planLabel(subscription.tier)}, {PERIODS[subscription.period]},{" "}
              {STATUSES[subscription.status]}
              {subscription.period_end !== null &&
                t("users.contract.until", { periodEnd: day(subscription.period_end) })}
            </dd>
          </>
        )}
        {contract !== null && !isOpen && (
          <>
            <dt>{t("users.contract")}</dt>
            <dd>
              {inForce
                ? t("users.contract.since", { startsAt: day(contract.starts_at) })
                : t("users.state.notInForce")}
              {contract.ends_at !== null &&
                t("users.contract.ends", { endsAt: day(contract.ends_at) })}
            </dd>
            <dt>{t("users.price")}</dt>
            <dd>
              {t("users.contract.price", {
                priceMonthly: money(contract.price_monthly),
                priceMinutes: money(contract.price_minutes),
              })}
            </dd>
            <dt>{t("users.limits")}</dt>
            <dd>
              {limitOf(contract.max_hours, t("users.contract.hoursUnit"))},{" "}
              {limitOf(contract.max_space, "GB")},{" "}
              {limitOf(contract.max_users ?? null, t("users.peopleUnit"))}
            </dd>
          </>
        )}
      </dl>
      {isOpen && (
        <form className={styles.form} onSubmit={save} aria-label={t("users.contract")}>
          <ContractFields
            draft={draft}
            errors={errors}
            onChange={(fields) => setDraft({ ...draft, ...fields })}
          />
          <div className={styles.buttons}>
            {inForce && (
              <Button
                variant="subtle"
                color="red"
                disabled={busy}
                onClick={() => void attempt(() => endContract(user.id), t("users.contract.ended"))}
              >
                {t("users.endContract")}
              </Button>
            )}
            <Button variant="default" onClick={() => setOpen(false)}>
              {t("users.cancel")}
            </Button>
            <Button type="submit" loading={busy}>
              {t("users.saveContract")}
            </Button>
          </div>
        </form>
      )}
      {user.deleted_at === null && (
        <Goodwill
          busy={busy}
          onGive={(minutes, reason) =>
            attempt(
              () => giveMinutes(user.id, { minutes, reason, days: 365 }),
              t("users.grant.given", { userName: user.name, minutes }),
            )
          }
        />
      )}
    </section>
  );
}

const limitOf = (count: number | null, unit: string): string =>
  count === null
    ? t("users.grant.anyNumber", { unit })
    : `${count.toLocaleString(formatLocale, { maximumFractionDigits: 1 })} ${unit}`;

function Goodwill({
  busy,
  onGive,
}: {
  busy: boolean;
  onGive: (minutes: number, reason: string) => Promise<void>;
}) {
  const [minutes, setMinutes] = useState<number | string>("");
  const [reason, setReason] = useState("");
  const give = (event: FormEvent) => {
    event.preventDefault();
    void onGive(Number(minutes), reason.trim()).then(() => {
      setMinutes("");
      setReason("");
    });
  };
  return (
    <form className={styles.fields} onSubmit={give} aria-label={t("users.giveMinutes")}>
      <NumberInput
        label={t("users.giveMinutes")}
        min={1}
        allowDecimal={false}
        allowNegative={false}
        value={minutes}
        onChange={setMinutes}
      />
      <TextInput
        label={t("users.reason")}
        maxLength={300}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <Button
        type="submit"
        variant="light"
        disabled={busy || Number(minutes) < 1 || reason.trim().length < 3}
      >
        {t("users.give")}
      </Button>
    </form>
  );
}
