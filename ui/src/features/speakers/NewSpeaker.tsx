import { Button, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/speakers";
import { IconPlus } from "../../platform/theme/icons";
import styles from "./speakers.module.css";

/** Add a speaker by a name, or without one by the next number. */
export function NewSpeaker({
  readOnly,
  onAdd,
}: {
  readOnly: boolean;
  onAdd: (name: string) => Promise<boolean>;
}) {
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const add = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    if (await onAdd(name.trim())) setName("");
    setBusy(false);
  };
  return (
    <form className={styles.start} onSubmit={(event) => void add(event)}>
      <TextInput
        size="xs"
        aria-label={t("new.label")}
        placeholder={t("new.label")}
        maxLength={usePublicConfig()?.text_limits.speaker_name}
        readOnly={readOnly}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        // The editor's shortcuts must not see what is typed here.
        onKeyDown={(event) => event.stopPropagation()}
      />
      <Button
        type="submit"
        size="xs"
        variant="default"
        loading={busy}
        disabled={readOnly}
        leftSection={<IconPlus size={14} />}
      >
        {t("speaker")}
      </Button>
    </form>
  );
}
