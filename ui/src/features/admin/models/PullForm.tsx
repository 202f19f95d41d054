import { Button, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { t } from "../../../platform/messages/admin";
import { IconDownload } from "../../../platform/theme/icons";
import { useModelActions } from "./data";
import styles from "./models.module.css";

/** Download a model of the hub that the catalogue does not list. */
export function PullForm({ disabled }: { disabled: boolean }) {
  const { pull } = useModelActions();
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    if (await pull(name.trim())) setName("");
    setBusy(false);
  };
  return (
    <form className={styles.pull} onSubmit={(event) => void submit(event)}>
      <TextInput
        label={t("models.other.label")}
        placeholder={t("models.ownerName")}
        value={name}
        maxLength={200}
        disabled={disabled}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Button
        type="submit"
        variant="default"
        leftSection={<IconDownload size={16} />}
        loading={busy}
        disabled={disabled || name.trim() === ""}
      >
        {t("models.download")}
      </Button>
    </form>
  );
}
