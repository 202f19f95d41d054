import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { useSWRConfig } from "swr";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/account";
import { removePassword, type User } from "./data";
import { ProofForm } from "./ProofForm";
import { RecoveryCodes } from "./RecoveryCodes";

/** For people with a passkey: sign in with passkeys alone from now on. */
export function PasswordRemoval({ user }: { user: User }) {
  const { mutate } = useSWRConfig();
  const [isOpen, setOpen] = useState(false);
  const [codes, setCodes] = useState<string[]>();
  const close = () => {
    setOpen(false);
    setCodes(undefined);
    if (codes !== undefined) void mutate(keys.user);
  };
  if (!user.has_password && !isOpen) return null;
  return (
    <>
      <div>
        <Button variant="subtle" color="red" onClick={() => setOpen(true)}>
          {t("password.remove")}
        </Button>
      </div>
      <Modal opened={isOpen} onClose={close} title={t("password.remove.question")}>
        {codes === undefined ? (
          <ProofForm
            user={user}
            name="password_removed"
            about={t("password.remove.about")}
            verb={t("password.remove")}
            isRed
            failed={t("password.remove.failed")}
            run={async (password) => setCodes(await removePassword(password))}
          />
        ) : (
          <RecoveryCodes codes={codes} about={t("password.remove.codes")} onClose={close} />
        )}
      </Modal>
    </>
  );
}
