import { Button, Group, Modal, Text } from "@mantine/core";
import { t } from "../../platform/messages/editor";
import type { Conflict } from "../../domain/captions/store/state";
import styles from "./editor.module.css";

interface Props {
  conflict: Conflict;
  onChoose: (choice: "mine" | "theirs") => void;
}

/**
 * Two people changed the same line: shows both texts and asks for a choice. The focus starts on the texts, not on a
 * button: somebody typing when it opens must not choose with the space bar.
 */
export function ConflictDialog({ conflict, onChoose }: Props) {
  const { cause, mine, theirs, message } = conflict;
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={cause === "changed" ? t("changedElsewhere") : t("notSavable")}
      size="lg"
    >
      <Text size="sm" className="quiet">
        {message}
      </Text>
      <div className={styles.conflict} tabIndex={-1} data-autofocus>
        <figure>
          <figcaption>{t("currentText")}</figcaption>
          <p dir="auto" data-testid="conflict-theirs">
            {theirs ?? t("lineWasDeleted")}
          </p>
        </figure>
        <figure>
          <figcaption>{t("yourText")}</figcaption>
          <p dir="auto" data-testid="conflict-mine">
            {mine}
          </p>
        </figure>
      </div>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => onChoose("theirs")}>
          {theirs === null ? t("discardMine") : t("keepCurrent")}
        </Button>
        <Button onClick={() => onChoose("mine")}>
          {theirs === null ? t("addMine") : t("useMine")}
        </Button>
      </Group>
    </Modal>
  );
}
