import { Button, Modal, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useSWRConfig } from "swr";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/account";
import { toast } from "../../platform/notices/toast";
import {
  addPasskey,
  canUsePasskeys,
  removePasskey,
  usePasskeys,
  type Passkey,
} from "../../domain/person/passkeys";
import { day } from "../../domain/files/format";
import type { User } from "./data";
import { PasswordRemoval } from "./PasswordRemoval";
import { ProofForm } from "./ProofForm";
import styles from "./account.module.css";

type Step = "add" | Passkey;

/** The passkeys of an account: each signs in alone. */
export function PasskeysSection({ user }: { user: User }) {
  const { data, mutate } = usePasskeys();
  const { mutate: mutateAll } = useSWRConfig();
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
      {data !== undefined && data.passkeys.length > 0 && <PasswordRemoval user={user} />}
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
              void mutateAll(keys.user);
            }}
          />
        )}
      </Modal>
    </section>
  );
}

function StepForm({ user, step, onDone }: { user: User; step: Step; onDone: () => void }) {
  const [name, setName] = useState("");
  const isNew = step === "add";
  return (
    <ProofForm
      user={user}
      name="passkey_password"
      about={isNew ? t("passkeys.add.about") : t("passkeys.remove.about")}
      verb={isNew ? t("passkeys.continue") : t("passkeys.remove")}
      isRed={!isNew}
      disabled={isNew && name.trim() === ""}
      failed={t("passkeys.failed")}
      run={async (password) => {
        if (isNew) {
          if (!(await addPasskey(name.trim(), password))) return;
          toast("success", t("passkeys.added", { name: name.trim() }));
        } else {
          await removePasskey(step.id, password);
          toast("success", t("passkeys.removed", { name: step.name }));
        }
        onDone();
      }}
    >
      {isNew && (
        <TextInput
          name="passkey_name"
          label={t("passkeys.name")}
          placeholder={t("passkeys.name.example")}
          maxLength={60}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
    </ProofForm>
  );
}
