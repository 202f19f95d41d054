import { Alert, Badge, Button, Group, Modal, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useSWRConfig } from "swr";
import { type ApiError } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/account";
import { toast } from "../../platform/notices/toast";
import { Proof, useProof } from "../../domain/person/Proof";
import {
  beginApp,
  confirmApp,
  replaceCodes,
  trustNoBrowser,
  turnOff,
  useSecondFactor,
} from "../../domain/person/secondFactor";
import { problemOf, type User } from "./data";
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
          <ChangeForm
            user={user}
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
        {codes !== undefined && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
      </Modal>
    </section>
  );
}

/** Scan, then enter the first code. */
function AddForm({ user, onDone }: { user: User; onDone: (codes: string[]) => void }) {
  const proof = useProof();
  const [app, setApp] = useState<{ secret: string; picture: string }>();
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState<ApiError>();
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      if (app === undefined) await proof.run(async (password) => setApp(await beginApp(password)));
      else onDone(await confirmApp(code));
    } catch (error) {
      setProblem(problemOf(error, t("factor.failed")));
    }
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {app === undefined ? (
          <>
            <Text>{t("factor.add.about")}</Text>
            <Proof
              user={user}
              proof={proof}
              name="factor_password"
              label={t("yourPassword")}
              error={problem?.fields.password?.[0]}
            />
          </>
        ) : (
          <>
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
          </>
        )}
        <Unnamed problem={problem} />
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {app === undefined ? t("factor.continue") : t("factor.turnOn")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ChangeProps {
  user: User;
  about: string;
  verb: string;
  isRed: boolean;
  run: (password: string) => Promise<void>;
}

function ChangeForm({ user, about, verb, isRed, run }: ChangeProps) {
  const proof = useProof();
  const [problem, setProblem] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await proof.run(run);
    } catch (error) {
      setProblem(problemOf(error, t("factor.failed")));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text>{about}</Text>
        <Proof
          user={user}
          proof={proof}
          name="factor_password"
          label={t("yourPassword")}
          error={problem?.fields.password?.[0]}
        />
        <Unnamed problem={problem} />
        <Group justify="flex-end">
          <Button type="submit" color={isRed ? "red" : undefined} loading={busy}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Unnamed({ problem }: { problem: ApiError | undefined }) {
  if (problem === undefined || Object.keys(problem.fields).length > 0) return null;
  return (
    <Alert color={problem.code === "code_needed" ? "blue" : "red"} role="alert">
      {problem.message}
    </Alert>
  );
}

const inGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(" ") ?? secret;
