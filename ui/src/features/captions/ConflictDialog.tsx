import { Button, Group, Modal, Text } from "@mantine/core";
import type { Conflict } from "./store/state";
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
      title={
        cause === "changed" ? "This line was changed elsewhere" : "This text could not be saved"
      }
      size="lg"
    >
      <Text size="sm" className="quiet">
        {message}
      </Text>
      <div className={styles.conflict} tabIndex={-1} data-autofocus>
        <figure>
          <figcaption>Current text</figcaption>
          <p dir="auto" data-testid="conflict-theirs">
            {theirs ?? "This line was deleted."}
          </p>
        </figure>
        <figure>
          <figcaption>Your text</figcaption>
          <p dir="auto" data-testid="conflict-mine">
            {mine}
          </p>
        </figure>
      </div>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => onChoose("theirs")}>
          {theirs === null ? "Discard my text" : "Keep current text"}
        </Button>
        <Button onClick={() => onChoose("mine")}>
          {theirs === null ? "Add my text as a new line" : "Use my text"}
        </Button>
      </Group>
    </Modal>
  );
}
