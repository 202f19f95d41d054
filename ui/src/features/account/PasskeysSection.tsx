import { Button, Group, Modal, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { type ApiError } from "../../platform/api/client";
import { t } from "../../platform/messages/account";
import { toast } from "../../platform/notices/toast";
import { Proof, useProof } from "../../domain/person/Proof";
import {
  addPasskey,
  canUsePasskeys,
  removePasskey,
  usePasskeys,
  type Passkey,
} from "../../domain/person/passkeys";
import { day } from "../../domain/files/format";
import { problemOf, type User } from "./data";
import styles from "./account.module.css";

type Step = "add" | Passkey;

/** The passkeys of an account: each signs in alone. */
export function PasskeysSection({ user }: { user: User }) {
  const { data, mutate } = usePasskeys();
  const [step, setStep] = useState<Step>();
  const canAdd = data?.can_add === true && canUsePasskeys();
  return (
    <section className={`card ${styles.card}`} aria-labelledby="passkeys-title">
      <Title order={2} id="passkeys-title">
        {t("passkeys.title")}
      </Title>
      <Text className="quiet">{t("passkeys.about")}</Text>
      {data !== undefined && data.passkeys.length > 0 && (
        <ul className={styles.rows}>
          {data.passkeys.map((passkey) => (
            <li key={passkey.id} className={styles.row}>
              <div>
                <Text fw={550}>{passkey.name}</Text>
                <Text size="sm" className="quiet">
                  {passkey.used_at === null
                    ? t("passkeys.unused", { day: day(passkey.created_at) })
                    : t("passkeys.used", { day: day(passkey.used_at) })}
                </Text>
              </div>
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                aria-label={t("passkeys.remove.label", { name: passkey.name })}
                onClick={() => setStep(passkey)}
              >
                {t("passkeys.remove")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {data !== undefined && !canAdd && (
        <Text size="sm" className="quiet">
          {t("passkeys.notHere")}
        </Text>
      )}
      {canAdd && (
        <div>
          <Button onClick={() => setStep("add")}>{t("passkeys.add")}</Button>
        </div>
      )}
      <Modal
        opened={step !== undefined}
        onClose={() => setStep(undefined)}
        title={
          step === undefined || step === "add"
            ? t("passkeys.add")
            : t("passkeys.remove.question", { name: step.name })
        }
      >
        {step !== undefined && (
          <StepForm
            user={user}
            step={step}
            onDone={() => {
              setStep(undefined);
              void mutate();
            }}
          />
        )}
      </Modal>
    </section>
  );
}

function StepForm({ user, step, onDone }: { user: User; step: Step; onDone: () => void }) {
  const proof = useProof();
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const isNew = step === "add";

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await proof.run(async (password) => {
        if (isNew) {
          if (!(await addPasskey(name.trim(), password))) return;
          toast("success", t("passkeys.added", { name: name.trim() }));
        } else {
          await removePasskey(step.id, password);
          toast("success", t("passkeys.removed", { name: step.name }));
        }
        onDone();
      });
    } catch (error) {
      setProblem(problemOf(error, t("passkeys.failed")));
    }
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text>{isNew ? t("passkeys.add.about") : t("passkeys.remove.about")}</Text>
        {isNew && (
          <TextInput
            name="passkey_name"
            label={t("passkeys.name")}
            placeholder={t("passkeys.name.example")}
            maxLength={60}
            data-autofocus
            value={name}
            error={problem?.fields.name?.[0]}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <Proof
          user={user}
          proof={proof}
          name="passkey_password"
          label={t("yourPassword")}
          error={problem?.fields.password?.[0]}
        />
        {problem !== undefined && Object.keys(problem.fields).length === 0 && (
          <Text className="danger-text" role="alert">
            {problem.message}
          </Text>
        )}
        <Group justify="flex-end">
          <Button
            type="submit"
            color={isNew ? undefined : "red"}
            loading={busy}
            disabled={isNew && name.trim() === ""}
          >
            {isNew ? t("passkeys.continue") : t("passkeys.remove")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
