import { Button, NumberInput, TextInput, Title } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiError } from "../../../api/client";
import { toast } from "../../notifications/toast";
import { day, money } from "../list/words";
import { ContractFields, contractOf, draftOf } from "./ContractFields";
import { endContract, giveMinutes, planLabel, setContract, type AdminUserDetail } from "./data";
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
      "The contract is saved.",
    );
  };
  return (
    <section className={`card ${styles.section}`} aria-labelledby="contract">
      <div className={styles.sectionHead}>
        <Title order={2} id="contract">
          Plan and contract
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
            {inForce ? "Edit contract" : "Make a contract"}
          </Button>
        )}
      </div>
      <dl className={styles.facts}>
        <dt>Plan</dt>
        <dd>{planLabel(user.plan)}</dd>
        {subscription !== null && (
          <>
            <dt>Subscription</dt>
            <dd>
              {planLabel(subscription.tier)}, {subscription.period}, {subscription.status}
              {subscription.period_end !== null && `, until ${day(subscription.period_end)}`}
            </dd>
          </>
        )}
        {contract !== null && !isOpen && (
          <>
            <dt>Contract</dt>
            <dd>
              {inForce ? `since ${day(contract.starts_at)}` : "not in force"}
              {contract.ends_at !== null && `, ends ${day(contract.ends_at)}`}
            </dd>
            <dt>Price</dt>
            <dd>
              {money(contract.price_monthly)} a month, {money(contract.price_minutes)} an extra
              minute
            </dd>
            <dt>Limits</dt>
            <dd>
              {limitOf(contract.max_hours, "hours a month")}, {limitOf(contract.max_space, "GB")},{" "}
              {limitOf(contract.max_users ?? null, "people")}
            </dd>
          </>
        )}
      </dl>
      {isOpen && (
        <form className={styles.form} onSubmit={save} aria-label="Contract">
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
                onClick={() => void attempt(() => endContract(user.id), "The contract has ended.")}
              >
                End contract
              </Button>
            )}
            <Button variant="default" onClick={() => setOpen(false)}>
              Cancel
            </Button>
            <Button type="submit" loading={busy}>
              Save contract
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
              `${user.name} got ${minutes} minutes.`,
            )
          }
        />
      )}
    </section>
  );
}

const limitOf = (count: number | null, unit: string): string =>
  count === null
    ? `any number of ${unit}`
    : `${count.toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;

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
    <form className={styles.fields} onSubmit={give} aria-label="Give minutes">
      <NumberInput
        label="Give minutes"
        min={1}
        allowDecimal={false}
        allowNegative={false}
        value={minutes}
        onChange={setMinutes}
      />
      <TextInput
        label="Reason"
        maxLength={300}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <Button
        type="submit"
        variant="light"
        disabled={busy || Number(minutes) < 1 || reason.trim().length < 3}
      >
        Give
      </Button>
    </form>
  );
}
