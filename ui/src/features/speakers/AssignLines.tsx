import { Button, NumberInput, Select } from "@mantine/core";
import { useState, type KeyboardEvent } from "react";
import { t } from "../../platform/messages/speakers";
import { NEW_SPEAKER, type Speaker } from "../../domain/speakers/data";
import styles from "./speakers.module.css";

interface Props {
  speakers: readonly Speaker[];
  /** How many lines the captions have. */
  lines: number;
  readOnly: boolean;
  /** Numbers of the first and the last line, from 1. */
  onAssign: (from: number, to: number, speaker: string) => Promise<void>;
}

/** Give a run of lines to one speaker, by their numbers. */
export function AssignLines({ speakers, lines, readOnly, onAssign }: Props) {
  const [from, setFrom] = useState<number | "">("");
  const [to, setTo] = useState<number | "">("");
  const [speaker, setSpeaker] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const isWhole = from !== "" && to !== "" && from <= to && speaker !== null;
  // The editor's shortcuts must not see what is typed here.
  const own = { onKeyDown: (event: KeyboardEvent) => event.stopPropagation() };
  const number = {
    size: "xs",
    min: 1,
    max: lines,
    allowDecimal: false,
    clampBehavior: "strict",
  } as const;

  const assign = async () => {
    if (from === "" || to === "" || speaker === null) return;
    setBusy(true);
    await onAssign(from, to, speaker);
    setBusy(false);
  };

  return (
    <fieldset className={styles.assign}>
      <legend>{t("bulk.label")}</legend>
      <NumberInput
        {...number}
        {...own}
        label={t("fromLine")}
        value={from}
        onChange={(value) => setFrom(typeof value === "number" ? value : "")}
      />
      <NumberInput
        {...number}
        {...own}
        label={t("toLine")}
        value={to}
        onChange={(value) => setTo(typeof value === "number" ? value : "")}
      />
      <Select
        {...own}
        size="xs"
        label={t("spokenBy")}
        data={[
          ...speakers.map(({ label, shown }) => ({ value: label, label: shown })),
          { value: NEW_SPEAKER, label: t("plusSpeaker") },
        ]}
        value={speaker}
        onChange={setSpeaker}
      />
      <Button
        size="xs"
        variant="default"
        loading={busy}
        disabled={readOnly || !isWhole}
        onClick={() => void assign()}
      >
        {t("assign")}
      </Button>
    </fieldset>
  );
}
