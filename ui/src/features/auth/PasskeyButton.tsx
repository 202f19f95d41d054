import { Button } from "@mantine/core";
import { useContext, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { ApiError } from "../../platform/api/client";
import { t } from "../../platform/messages/auth";
import { toast } from "../../platform/notices/toast";
import { canUsePasskeys, signInWithPasskey } from "../../domain/person/passkeys";
import { useSession } from "../../domain/person/session";
import { KnownPages, placeAfterSignIn } from "../../domain/person/signIn";

/** Sign in with a passkey; nothing where this browser or address has none. */
export function PasskeyButton() {
  const { enter } = useSession();
  const isKnownPage = useContext(KnownPages);
  const navigate = useNavigate();
  const state: unknown = useLocation().state;
  const [busy, setBusy] = useState(false);
  const [isDeleted, setDeleted] = useState(false);
  if (!canUsePasskeys()) return null;

  const signIn = async () => {
    setBusy(true);
    try {
      const user = await signInWithPasskey(isDeleted);
      if (user !== undefined) {
        await enter(user);
        await navigate(placeAfterSignIn(state, user.id, isKnownPage));
        return;
      }
    } catch (error) {
      if (error instanceof ApiError && error.code === "account_deleted") setDeleted(true);
      toast("error", error instanceof ApiError ? error.message : t("passkey.failed"));
    }
    setBusy(false);
  };
  return (
    <Button variant="default" size="md" loading={busy} onClick={() => void signIn()}>
      {isDeleted ? t("passkey.restore") : t("passkey.signIn")}
    </Button>
  );
}
