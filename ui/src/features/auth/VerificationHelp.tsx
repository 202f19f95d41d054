import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useSWRConfig } from "swr";
import { api, ApiError, unwrap } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/auth";
import { toast } from "../../platform/notices/toast";
import { NoMailNote } from "../../domain/person/NoMailNote";
import { type User } from "../../domain/person/session";
import { useResendWait } from "../../domain/person/useResendWait";
import { useSignOut } from "../../domain/person/useSignOut";

/** Send the link again, correct the address, or sign out. */
export function VerificationHelp({ user }: { user: User }) {
  const { mutate } = useSWRConfig();
  const { signOut, dialog } = useSignOut();
  const [wait, startWait] = useResendWait();
  const [correcting, setCorrecting] = useState(false);

  const resend = async () => {
    try {
      await unwrap(api.POST("/api/email/verify/resend"));
      startWait();
      toast("success", t("verify.sentNew", { pendingEmail: user.pending_email ?? user.email }));
    } catch (error) {
      toast("error", (error as Error).message);
    }
  };
  const refresh = () => void mutate(keys.user);
  return (
    <Stack gap="sm">
      <NoMailNote />
      <Button onClick={refresh}>{t("verify.opened")}</Button>
      <Button variant="default" disabled={wait > 0} onClick={() => void resend()}>
        {wait > 0 ? t("mail.sendAgainIn", { wait }) : t("verify.sendAgain")}
      </Button>
      {correcting ? (
        <CorrectAddress
          user={user}
          onDone={() => {
            setCorrecting(false);
            startWait();
            refresh();
          }}
        />
      ) : (
        // The settings ask for more than a password where an account has more, or none.
        user.has_password &&
        !user.has_second_factor && (
          <Button variant="subtle" onClick={() => setCorrecting(true)}>
            {t("verify.notMine")}
          </Button>
        )
      )}
      <Button variant="subtle" color="gray" onClick={signOut}>
        {t("signOut")}
      </Button>
      {dialog}
    </Stack>
  );
}

function CorrectAddress({ user, onDone }: { user: User; onDone: () => void }) {
  const [email, setEmail] = useState(user.pending_email ?? user.email);
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<ApiError>();
  const [busy, setBusy] = useState(false);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await unwrap(api.PUT("/api/user/email", { body: { email, password } }));
      toast("success", t("verify.sentTo", { email }));
      onDone();
    } catch (error) {
      setProblem(error instanceof ApiError ? error : new ApiError(0, String(error)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void save(event)} noValidate>
      <Stack gap="sm">
        <TextInput
          name="email"
          type="email"
          label={t("yourAddress")}
          autoComplete="email"
          value={email}
          error={problem?.fields.email?.[0]}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          name="password"
          label={t("yourPassword")}
          autoComplete="current-password"
          value={password}
          error={problem?.fields.password?.[0]}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {problem !== undefined && Object.keys(problem.fields).length === 0 && (
          <Text className="danger-text" role="alert">
            {problem.message}
          </Text>
        )}
        <Button type="submit" loading={busy}>
          {t("verify.useAddress")}
        </Button>
      </Stack>
    </form>
  );
}
