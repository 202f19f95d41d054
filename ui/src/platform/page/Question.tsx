import { Button, Group, Modal, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { t } from "../messages/teams";

interface Props {
  opened: boolean;
  title: string;
  children: ReactNode;
  /** What the button says that goes ahead. */
  verb: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something that others notice. */
export function Question({ opened, title, children, verb, onConfirm, onClose }: Props) {
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    await onConfirm();
    setBusy(false);
    onClose();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered>
      <Text>{children}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" data-autofocus onClick={onClose}>
          {t("cancel")}
        </Button>
        <Button color="red" loading={busy} onClick={() => void confirm()}>
          {verb}
        </Button>
      </Group>
    </Modal>
  );
}
