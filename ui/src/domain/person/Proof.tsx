import { Alert, Button, Group, PasswordInput, Text } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "react-router";
import { t } from "../../platform/messages/account";
import { toast } from "../../platform/notices/toast";
import { startConfirmation, useIdentities } from "./identities";
import { leaveFor } from "./provider";
import type { User } from "./session";

interface Props {
  user: User;
  name: string;
  label: string;
  value: string;
  error: string | undefined;
  onChange: (password: string) => void;
}

/** Asks for the password, or for a new sign-in with the identity provider where the account has none. */
export function Proof({ user, name, label, value, error, onChange }: Props) {
  if (!user.has_password) return <SignInAgain />;
  return (
    <PasswordInput
      name={name}
      label={label}
      autoComplete="current-password"
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
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
    <Alert color="blue">
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
