import { Button, Modal, NumberInput, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { usePublicConfig } from "../../../platform/api/publicConfig";
import { t } from "../../../platform/messages/admin";
import { correct, type Grant } from "../../ledger/data";
import { minutes } from "../../ledger/words";
import { toast } from "../../../platform/notices/toast";
import styles from "./users.module.css";

interface Props {
  grant: Grant & { id: string };
  name: string;
  onClose: () => void;
  onDone: () => void;
}

/** How much too little or too much was given and why; then, before anything changes, what it comes to. */
export function CorrectDialog({ grant, name, onClose, onDone }: Props) {
  const noteMax = usePublicConfig()?.text_limits.ledger_note;
  const [amount, setAmount] = useState<number | string>("");
  const [note, setNote] = useState("");
  const [isChecked, setChecked] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const seconds = Math.round(Number(amount) * 60);
  const left = grant.available + seconds;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isChecked) {
      setChecked(true);
      return;
    }
    setBusy(true);
    try {
      await correct(grant.id, seconds, note.trim());
      toast("success", t("users.correct.done", { name, left: minutes(left) }));
      onDone();
      onClose();
    } catch (error) {
      setProblem((error as Error).message);
      setChecked(false);
      onDone();
    }
    setBusy(false);
  };
  const change =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      setProblem(undefined);
      set(value);
    };
  return (
    <Modal opened onClose={onClose} title={t("users.correct.title")}>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        {isChecked ? (
          <p>
            {t(seconds < 0 ? "users.correct.takeBack" : "users.correct.add", {
              seconds: minutes(Math.abs(seconds)),
              left: minutes(left),
              name,
              note: note.trim(),
            })}
          </p>
        ) : (
          <>
            <NumberInput
              label={t("users.minutes")}
              description={t("users.correct.hint", { available: minutes(grant.available) })}
              data-autofocus
              decimalScale={2}
              value={amount}
              error={problem ?? (left < 0 ? t("users.correct.tooMuch") : undefined)}
              onChange={change(setAmount)}
            />
            <TextInput
              label={t("users.reason")}
              description={t("users.correct.noteHint")}
              maxLength={noteMax}
              value={note}
              onChange={({ currentTarget }) => change(setNote)(currentTarget.value)}
            />
          </>
        )}
        <div className={styles.buttons}>
          <Button
            variant="default"
            disabled={busy}
            onClick={() => (isChecked ? setChecked(false) : onClose())}
          >
            {isChecked ? t("users.back") : t("users.cancel")}
          </Button>
          <Button
            type="submit"
            loading={busy}
            disabled={seconds === 0 || Number.isNaN(seconds) || left < 0 || note.trim() === ""}
          >
            {isChecked ? t("users.correct") : t("users.continue")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
