import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { Link, useLocation } from "react-router";
import { ApiError } from "../../platform/api/client";
import { t } from "../../platform/messages/teams";
import { useSession } from "../../domain/person/session";
import type { InvitationView } from "./data";

interface Props {
  invitation: InvitationView;
  onSignedIn: () => Promise<void>;
}

/** Sign in with the invited address or, where it has no account, make one. The address is fixed. */
export function JoinForm({ invitation, onSignedIn }: Props) {
  const { login, giveCode, register } = useSession();
  const { email, has_account: hasAccount } = invitation;
  // Whoever signs in another way comes back here, and joins.
  const { pathname, hash } = useLocation();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [code, setCode] = useState("");
  const [needsCode, setNeedsCode] = useState(false);
  const [problem, setProblem] = useState<ApiError>();
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      if (needsCode) await giveCode(code, false);
      else if (hasAccount) await login(email, password);
      else await register({ name, email, password, password_confirmation: again });
      await onSignedIn();
    } catch (error) {
      const failure = error instanceof ApiError ? error : new ApiError(0, String(error));
      if (failure.code === "code_needed") setNeedsCode(true);
      else setProblem(failure);
      if (failure.code === "code_stale") setNeedsCode(false);
    } finally {
      setBusy(false);
    }
  };

  const fields = problem?.fields ?? {};
  const shown = ["name", "email", "password", "password_confirmation", "code"];
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text size="sm">{hasAccount ? t("invite.signInToJoin") : t("invite.createToJoin")}</Text>
        {problem !== undefined && !shown.some((field) => fields[field] !== undefined) && (
          <Alert color="red" role="alert">
            {problem.message}
          </Alert>
        )}
        <TextInput
          label={t("email")}
          name="email"
          type="email"
          autoComplete="username"
          value={email}
          readOnly
          error={fields.email?.[0]}
        />
        {!hasAccount && (
          <TextInput
            label={t("name")}
            name="name"
            autoComplete="name"
            value={name}
            error={fields.name?.[0]}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
        <PasswordInput
          label={t("password")}
          name="password"
          autoComplete={hasAccount ? "current-password" : "new-password"}
          value={password}
          error={fields.password?.[0]}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        {!hasAccount && (
          <PasswordInput
            label={t("confirmPassword")}
            name="password_confirmation"
            autoComplete="new-password"
            value={again}
            error={fields.password_confirmation?.[0]}
            onChange={({ currentTarget }) => setAgain(currentTarget.value)}
          />
        )}
        {needsCode && (
          <TextInput
            label={t("invite.code")}
            name="code"
            autoComplete="one-time-code"
            autoFocus
            value={code}
            error={fields.code?.[0]}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
        )}
        <Button type="submit" size="md" loading={busy}>
          {hasAccount ? t("invite.signInAndJoin") : t("invite.createAndJoin")}
        </Button>
        <Anchor component={Link} to="/login" state={{ from: `${pathname}${hash}` }} size="sm">
          {t("invite.otherWay")}
        </Anchor>
      </Stack>
    </form>
  );
}
