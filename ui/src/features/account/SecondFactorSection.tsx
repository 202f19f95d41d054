import { Badge, Button, Group, Modal, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useSWRConfig } from "swr";
import { type ApiError } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/account";
import { toast } from "../../platform/notices/toast";
import {
  beginApp,
  confirmApp,
  replaceCodes,
  trustNoBrowser,
  turnOff,
  useSecondFactor,
  type NewApp,
} from "../../domain/person/secondFactor";
import { problemOf, type User } from "./data";
import { ProofForm, Unnamed } from "./ProofForm";
import { RecoveryCodes } from "./RecoveryCodes";
import styles from "./account.module.css";

type Step = "add" | "codes" | "off";

const TITLES: Record<Step, string> = {
  add: t("factor.add"),
  codes: t("factor.newCodes"),
  off: t("factor.off.question"),
};

/** The authenticator app of an account: on, off, recovery codes and trusted browsers. */
export function SecondFactorSection({ user }: { user: User }) {
  const { data, mutate } = useSecondFactor();
  const { mutate: mutateAll } = useSWRConfig();
  const [step, setStep] = useState<Step>();
  const [codes, setCodes] = useState<string[]>();

  const refresh = async () => {
    await Promise.all([mutate(), mutateAll(keys.user)]);
  };
  const finish = (fresh?: string[]) => {
    setStep(undefined);
    setCodes(fresh);
    void refresh();
  };
  const forget = async () => {
    try {
      await trustNoBrowser();
      await mutate();
      toast("success", t("factor.browsers.forgotten"));
    } catch (error) {
      toast("error", (error as Error).message);
    }
  };
  return (
    <section className={`card ${styles.card}`} aria-labelledby="factor-title">
      <Group gap="xs">
        <Title order={2} id="factor-title">
          {t("factor.title")}
        </Title>
        {data !== undefined && (
          <Badge variant="light" color={data.is_on ? "teal" : "gray"}>
            {data.is_on ? t("factor.on") : t("factor.isOff")}
          </Badge>
        )}
      </Group>
      <Text className="quiet">{t("factor.about")}</Text>
      {data?.is_on === true && (
        <ul className={styles.rows}>
          <li className={styles.row}>
            <Text>{t("factor.codesLeft", { count: data.recovery_codes })}</Text>
            <Button size="compact-sm" variant="default" onClick={() => setStep("codes")}>
              {t("factor.newCodes")}
            </Button>
          </li>
          {data.trusted_browsers > 0 && (
            <li className={styles.row}>
              <Text>{t("factor.browsers", { count: data.trusted_browsers })}</Text>
              <Button size="compact-sm" variant="default" onClick={() => void forget()}>
                {t("factor.browsers.forget")}
              </Button>
            </li>
          )}
        </ul>
      )}
      <div>
        {data?.is_on === false && <Button onClick={() => setStep("add")}>{t("factor.add")}</Button>}
        {data?.is_on === true && (
          <Button variant="light" color="red" onClick={() => setStep("off")}>
            {t("factor.off")}
          </Button>
        )}
      </div>
      <Modal
        opened={step !== undefined}
        onClose={() => setStep(undefined)}
        title={step && TITLES[step]}
      >
        {step === "add" && <AddForm user={user} onDone={finish} />}
        {(step === "codes" || step === "off") && (
          <ProofForm
            user={user}
            name="factor_password"
            failed={t("factor.failed")}
            about={t(step === "codes" ? "factor.newCodes.about" : "factor.off.about")}
            verb={t(step === "codes" ? "factor.newCodes" : "factor.off")}
            isRed={step === "off"}
            run={async (password) => {
              if (step === "codes") finish(await replaceCodes(password));
              else {
                await turnOff(password);
                toast("success", t("factor.off.done"));
                finish();
              }
            }}
          />
        )}
      </Modal>
      <Modal
        opened={codes !== undefined}
        onClose={() => setCodes(undefined)}
        title={t("factor.codes.title")}
        closeOnClickOutside={false}
      >
        {codes !== undefined && (
          <RecoveryCodes
            about={t("factor.codes.about")}
            codes={codes}
            onClose={() => setCodes(undefined)}
          />
        )}
      </Modal>
    </section>
  );
}

/** First a proof, then the picture to scan, then the first code. */
function AddForm({ user, onDone }: { user: User; onDone: (codes: string[]) => void }) {
  const [app, setApp] = useState<NewApp>();
  if (app !== undefined) return <FirstCode app={app} onDone={onDone} />;
  return (
    <ProofForm
      user={user}
      name="factor_password"
      about={t("factor.add.about")}
      verb={t("factor.continue")}
      failed={t("factor.failed")}
      run={async (password) => setApp(await beginApp(password))}
    />
  );
}

function FirstCode({ app, onDone }: { app: NewApp; onDone: (codes: string[]) => void }) {
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      onDone(await confirmApp(code));
    } catch (error) {
      setProblem(problemOf(error, t("factor.failed")));
    }
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text>{t("factor.scan")}</Text>
        <img className={styles.qr} src={app.picture} alt={t("factor.qr")} />
        <Text size="sm" className="quiet">
          {t("factor.type")} <code className={styles.secret}>{inGroups(app.secret)}</code>
        </Text>
        <TextInput
          name="first_code"
          label={t("factor.firstCode")}
          autoComplete="one-time-code"
          inputMode="numeric"
          data-autofocus
          value={code}
          error={problem?.fields.code?.[0]}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Unnamed problem={problem} />
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {t("factor.turnOn")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const inGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(" ") ?? secret;
