import { Button, Group, Input, Modal, TextInput } from "@mantine/core";
import { useState } from "react";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/library";
import { COLOURS, type TagColour } from "./data";
import styles from "./tags.module.css";

interface Props {
  title: string;
  label: string;
  button: string;
  name?: string;
  colour?: TagColour;
  /** Resolves to whether it was saved; the form stays open otherwise. */
  onSave: (name: string, colour: TagColour | undefined) => Promise<boolean>;
  onClose: () => void;
}

/** Name and colour of a new or existing tag. */
export function TagForm(props: Props) {
  const [name, setName] = useState(props.name ?? "");
  const [colour, setColour] = useState(props.colour);
  const [saving, setSaving] = useState(false);
  const nameMax = usePublicConfig()?.text_limits.tag;
  return (
    <Modal opened onClose={props.onClose} title={props.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setSaving(true);
          void props.onSave(name.trim(), colour).then((saved) => {
            if (saved) props.onClose();
            else setSaving(false);
          });
        }}
      >
        <TextInput
          label={props.label}
          value={name}
          data-autofocus
          maxLength={nameMax}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Input.Wrapper
          component="fieldset"
          label={t("tags.colour")}
          labelElement="div"
          mt="md"
          bd={0}
          p={0}
        >
          <div className={styles.swatches}>
            {COLOURS.map((one) => (
              <label key={one} className={styles.swatch} data-colour={one} title={one}>
                <input
                  type="radio"
                  name="colour"
                  aria-label={one}
                  checked={colour === one}
                  onChange={() => setColour(one)}
                />
                <span className={styles.dot} data-colour={one} aria-hidden="true" />
              </label>
            ))}
          </div>
        </Input.Wrapper>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={props.onClose}>
            {t("tags.cancel")}
          </Button>
          <Button type="submit" loading={saving} disabled={name.trim() === ""}>
            {props.button}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
