import { Alert, Button, Group, PasswordInput, Text } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "react-router";
import { t } from "../../platform/messages/account";
import { toast } from "../../platform/notices/toast";
import { startConfirmation, useIdentities } from "./identities";
import { canUsePasskeys } from "./passkeys";
import { leaveFor } from "./provider";
import type { User } from "./session";

export interface ProofState {
  password: string;
  setPassword: (password: string) => void;
  /** Make a call that asks for a proof. */
  run: (call: (password: string) => Promise<void>) => Promise<void>;
}

/** What a person gives to show that it is them, and the call that asks for it. */
export function useProof(): ProofState {
  const [password, setPassword] = useState("");
  const run = async (call: (password: string) => Promise<void>) => {
    await call(password);
    setPassword("");
  };
  return { password, setPassword, run };
}

interface Props {
  user: User;
  proof: ProofState;
  name: string;
  label: string;
  error: string | undefined;
}

/** Asks for the password; where there is none, for a new sign-in. The page asks for a code or a passkey by itself. */
export function Proof({ user, proof, name, label, error }: Props) {
  if (!user.has_password) return user.has_passkeys && canUsePasskeys() ? null : <SignInAgain />;
  return (
    <PasswordInput
      name={name}
      label={label}
      autoComplete="current-password"
      value={proof.password}
      error={error}
      onChange={(event) => proof.setPassword(event.currentTarget.value)}
    />
  );
}

function SignInAgain() {
  const { data } = useIdentities();
  const { pathname, search } = useLocation();
  const [busy, setBusy] = useState("");
  const leave = async (slug: string) => {
    setBusy(slug);
    try {
      await leaveFor(() => startConfirmation(slug), {
        from: pathname + search,
        notice: t("identities.confirmed"),
      });
    } catch (error) {
      toast("error", (error as Error).message);
      setBusy("");
    }
  };
  return (
    // It stands there from the start, so nothing announces it.
    <Alert color="blue" role="note">
      <Text size="sm">{t("identities.noPassword")}</Text>
      <Group gap="xs" mt="xs">
        {(data?.linked ?? [])
          .filter(({ is_on }) => is_on)
          .map(({ id, provider, name }) => (
            <Button
              key={id}
              size="compact-sm"
              variant="default"
              loading={busy === provider}
              onClick={() => void leave(provider)}
            >
              {t("identities.again", { name })}
            </Button>
          ))}
      </Group>
    </Alert>
  );
}
