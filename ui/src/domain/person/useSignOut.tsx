import { Button, Group, Modal, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { t } from "../../platform/messages/shell";
import { toast } from "../../platform/notices/toast";
import { finishAll } from "../../platform/offline/atSignOut";
import { useSession } from "./session";

const NOT_TOLD = t("signOut.unreachable");

/** Signs out once everything is saved; `dialog` asks first when something could not be saved. */
export function useSignOut(): { signOut: () => void; dialog: ReactNode } {
  const { logout } = useSession();
  const [asking, setAsking] = useState(false);

  const leave = async () => {
    setAsking(false);
    if (!(await logout())) toast("warning", NOT_TOLD);
  };
  const signOut = async () => {
    if (await finishAll()) await leave();
    else setAsking(true);
  };

  const dialog = (
    <Modal opened={asking} onClose={() => setAsking(false)} title={t("signOut.unsaved")} centered>
      <Text mb="md">{t("signOut.unsavedAbout")}</Text>
      <Group justify="flex-end">
        <Button variant="default" data-autofocus onClick={() => setAsking(false)}>
          {t("signOut.stay")}
        </Button>
        <Button color="red" onClick={() => void leave()}>
          {t("signOut.anyway")}
        </Button>
      </Group>
    </Modal>
  );
  return { signOut: () => void signOut(), dialog };
}
