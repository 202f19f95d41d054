import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { useSWRConfig } from "swr";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/account";
import { toast } from "../../platform/notices/toast";
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
      <Modal
        opened={isOpen}
        onClose={close}
        title={codes === undefined ? t("password.remove.question") : t("factor.codes.title")}
        closeOnClickOutside={codes === undefined}
      >
        {codes === undefined ? (
          <ProofForm
            user={user}
            name="password_removed"
            about={t("password.remove.about")}
            verb={t("password.remove")}
            isRed
            failed={t("password.remove.failed")}
            run={async (password) => {
              const fresh = await removePassword(password);
              if (fresh.length > 0) return setCodes(fresh);
              toast("success", t("password.remove.done"));
              setOpen(false);
              await mutate(keys.user);
            }}
          />
        ) : (
          <RecoveryCodes codes={codes} about={t("password.remove.codes")} onClose={close} />
        )}
      </Modal>
    </>
  );
}
