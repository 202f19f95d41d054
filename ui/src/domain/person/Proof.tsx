import { Alert, Button, Group, PasswordInput, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "react-router";
import { ApiError } from "../../platform/api/client";
import { t } from "../../platform/messages/account";
import { toast } from "../../platform/notices/toast";
import { startConfirmation, useIdentities } from "./identities";
import { confirmByCode } from "./secondFactor";
import { leaveFor } from "./provider";
import type { User } from "./session";

export interface ProofState {
  password: string;
  setPassword: (password: string) => void;
  code: string;
  setCode: (code: string) => void;
  /** Whether the server has asked for a code. */
  needsCode: boolean;
  /** Why the code was refused. */
  wrongCode: string | undefined;
  /** Make a call that asks for a proof; gives the code before, where one was asked for. */
  run: (call: (password: string) => Promise<void>) => Promise<void>;
}

/** What a person gives to show that it is them, and the call that asks for it. */
export function useProof(): ProofState {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [needsCode, setNeedsCode] = useState(false);
  const [wrongCode, setWrongCode] = useState<string>();
  const run = async (call: (password: string) => Promise<void>) => {
    setWrongCode(undefined);
    if (needsCode) {
      try {
        await confirmByCode(code);
      } catch (error) {
        if (error instanceof ApiError) setWrongCode(error.fields.code?.[0]);
        throw error;
      }
      setNeedsCode(false);
      setCode("");
    }
    try {
      await call(password);
    } catch (error) {
      if (error instanceof ApiError && error.code === "code_needed") setNeedsCode(true);
      throw error;
    }
    setPassword("");
  };
  return { password, setPassword, code, setCode, needsCode, wrongCode, run };
}

interface Props {
  user: User;
  proof: ProofState;
  name: string;
  label: string;
  error: string | undefined;
}

/** Asks for the password and, with a second factor, a code; where there is no password, for a new sign-in. */
export function Proof({ user, proof, name, label, error }: Props) {
  if (!user.has_password) return <SignInAgain />;
  return (
    <>
      <PasswordInput
        name={name}
        label={label}
        autoComplete="current-password"
        value={proof.password}
        error={error}
        onChange={(event) => proof.setPassword(event.currentTarget.value)}
      />
      {proof.needsCode && (
        <TextInput
          name={`${name}_code`}
          label={t("factor.code")}
          autoComplete="one-time-code"
          data-autofocus
          value={proof.code}
          error={proof.wrongCode}
          onChange={(event) => proof.setCode(event.currentTarget.value)}
        />
      )}
    </>
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
