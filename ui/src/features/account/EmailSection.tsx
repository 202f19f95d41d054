import { Alert, Badge, Button, Group, Text, TextInput, Title } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useSWRConfig } from "swr";
import { api, unwrap, type ApiError } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/account";
import { Proof, useProof } from "../../domain/person/Proof";
import { NoMailNote } from "../../domain/person/NoMailNote";
import { useResendWait } from "../../domain/person/useResendWait";
import { toast } from "../../platform/notices/toast";
import { INFO_NOT_SAVED, keepEmail, problemOf, saveEmail, type User } from "./data";
import styles from "./account.module.css";

/** The address, whether it is confirmed, and a new one that waits for its link. */
export function EmailSection({ user }: { user: User }) {
  const { mutate } = useSWRConfig();
  const [email, setEmail] = useState("");
  const proof = useProof();
  const [problem, setProblem] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const [wait, startWait] = useResendWait();

  const refresh = (saved: User) => mutate(keys.user, saved, { revalidate: false });
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await proof.run(async (password) => {
        await refresh(await saveEmail({ email, password }));
      });
      startWait();
      setEmail("");
    } catch (error) {
      setProblem(problemOf(error, INFO_NOT_SAVED));
    } finally {
      setBusy(false);
    }
  };
  const resend = async () => {
    try {
      await unwrap(api.POST("/api/email/verify/resend"));
      startWait();
      toast("success", t("email.sentTo", { pendingEmail: user.pending_email ?? user.email }));
    } catch (error) {
      toast("error", (error as Error).message);
    }
  };
  const keep = async () => {
    try {
      await refresh(await keepEmail());
    } catch (error) {
      toast("error", (error as Error).message);
    }
  };
  const waits = user.pending_email !== null || !user.email_verified;
  const unnamed = problem !== undefined && !problem.fields.email && !problem.fields.password;
  return (
    <section className={`card ${styles.card}`} aria-labelledby="email-title">
      <Title order={2} id="email-title">
        {t("emailAddress")}
      </Title>
      <Group gap="xs">
        <Text fw={550} className={styles.email}>
          {user.email}
        </Text>
        <Badge variant="light" color={user.email_verified ? "teal" : "yellow"}>
          {user.email_verified ? t("confirmed") : t("notConfirmed")}
        </Badge>
      </Group>
      {waits && (
        <Alert color="blue" role="status">
          <Text size="sm">
            {user.pending_email === null
              ? t("email.openLink")
              : t("email.openLinkFirst", { pendingEmail: user.pending_email })}
          </Text>
          <NoMailNote />
          <Group gap="xs" mt="xs">
            <Button
              size="compact-sm"
              variant="default"
              disabled={wait > 0}
              onClick={() => void resend()}
            >
              {wait > 0 ? t("email.sendAgainIn", { wait }) : t("email.sendAgain")}
            </Button>
            {user.pending_email !== null && (
              <Button size="compact-sm" variant="subtle" onClick={() => void keep()}>
                {t("keepEmail", { email: user.email })}
              </Button>
            )}
          </Group>
        </Alert>
      )}
      <form className={styles.form} onSubmit={(event) => void save(event)} noValidate>
        <TextInput
          name="email"
          type="email"
          label={t("newAddress")}
          autoComplete="email"
          value={email}
          error={problem?.fields.email?.[0]}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Proof
          user={user}
          proof={proof}
          name="email_password"
          label={t("yourPassword")}
          error={problem?.fields.password?.[0]}
        />
        {unnamed && (
          <Text className="danger-text" role="alert">
            {problem.message}
          </Text>
        )}
        <div>
          <Button type="submit" variant="default" loading={busy} disabled={email === ""}>
            {t("email.change")}
          </Button>
        </div>
      </form>
    </section>
  );
}
