import { Button, Divider, Stack } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "react-router";
import { t } from "../../platform/messages/auth";
import { toast } from "../../platform/notices/toast";
import { leaveFor, startSignIn, useProviders } from "../../domain/person/provider";
import { canUsePasskeys } from "../../domain/person/passkeys";
import { PasskeyButton } from "./PasskeyButton";
import { stateOf } from "../../domain/person/signIn";

/** The other ways to sign in: a passkey, and each identity provider. Nothing where there are none. */
export function OtherWays({ withPasskey = false }: { withPasskey?: boolean }) {
  const { data: providers = [] } = useProviders();
  const { from, whose } = stateOf(useLocation().state);
  const [busy, setBusy] = useState("");
  const offersPasskey = withPasskey && canUsePasskeys();
  if (providers.length === 0 && !offersPasskey) return null;

  const leave = async (slug: string) => {
    setBusy(slug);
    try {
      await leaveFor(() => startSignIn(slug), { from, whose });
    } catch (error) {
      toast("error", (error as Error).message);
      setBusy("");
    }
  };
  return (
    <Stack gap="sm" mt="md">
      <Divider label={t("provider.or")} />
      {offersPasskey && <PasskeyButton />}
      {providers.map(({ slug, name }) => (
        <Button
          key={slug}
          variant="default"
          size="md"
          loading={busy === slug}
          disabled={busy !== "" && busy !== slug}
          onClick={() => void leave(slug)}
        >
          {t("provider.signIn", { name })}
        </Button>
      ))}
    </Stack>
  );
}
