import { Button, Group, Modal, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { toast } from "../notifications/toast";
import { finishAll } from "./beforeSignOut";
import { useSession } from "./session";

const NOT_TOLD =
  "You are signed out in this browser, but we could not reach the server. Open this page again when you are online to finish signing out.";

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
    <Modal
      opened={asking}
      onClose={() => setAsking(false)}
      title="You have unsaved changes"
      centered
    >
      <Text mb="md">
        Your last caption changes have not reached the server. If you sign out now, you will lose
        them.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" data-autofocus onClick={() => setAsking(false)}>
          Stay signed in
        </Button>
        <Button color="red" onClick={() => void leave()}>
          Sign out anyway
        </Button>
      </Group>
    </Modal>
  );
  return { signOut: () => void signOut(), dialog };
}
