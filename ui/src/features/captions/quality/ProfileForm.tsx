import { Button, Checkbox, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/messages/quality";
import { DASHES } from "../../../domain/captions/quality/marks";
import type { Limits } from "../../../domain/captions/quality/types";
import styles from "./quality.module.css";

interface Props {
  limits: Limits;
  onSave: (limits: Limits) => Promise<void>;
  onCancel: () => void;
}

type Numeric = {
  [Key in keyof Limits]-?: NonNullable<Limits[Key]> extends number ? Key : never;
}[keyof Limits];

interface Field {
  name: Numeric;
  min: number;
  max: number;
  /** May be empty: then it is not checked. */
  optional?: boolean;
}

const FIELDS: readonly Field[] = [
  { name: "max_row", min: 5, max: 100 },
  { name: "max_rows", min: 1, max: 4 },
  { name: "max_speed", min: 1, max: 100 },
  { name: "red_speed", min: 1, max: 100, optional: true },
  { name: "min_ms", min: 0, max: 60_000 },
  { name: "max_ms", min: 500, max: 60_000 },
  { name: "gap_ms", min: 0, max: 5_000 },
  { name: "gap_frames", min: 1, max: 50, optional: true },
  { name: "close_below_ms", min: 0, max: 5_000 },
  { name: "word_ms", min: 0, max: 2_000 },
  { name: "early_ms", min: 0, max: 60_000, optional: true },
  { name: "late_ms", min: 0, max: 60_000, optional: true },
  { name: "linger_ms", min: 0, max: 60_000, optional: true },
];

/** The limits of a profile. */
export function ProfileForm({ limits, onSave, onCancel }: Props) {
  const [draft, setDraft] = useState(limits);
  const [isBusy, setBusy] = useState(false);
  const change = (some: Partial<Limits>) => setDraft({ ...draft, ...some });
  const save = async () => {
    setBusy(true);
    await onSave(draft);
    setBusy(false);
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextInput
        label={t("name")}
        required
        maxLength={80}
        value={draft.name}
        className={styles.wide}
        data-autofocus
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      {FIELDS.map(({ name, min, max, optional = false }) => (
        <NumberInput
          key={name}
          label={t(`limit.${name}`)}
          {...{ min, max }}
          required={!optional}
          value={draft[name] ?? ""}
          onChange={(value) => change({ [name]: value === "" ? null : Number(value) })}
        />
      ))}
      <NativeSelect
        label={t("limit.dash")}
        value={draft.dash ?? ""}
        data={[
          { value: "", label: t("any") },
          ...Object.entries(DASHES).map(([value, mark]) => ({ value, label: `${mark}…` })),
        ]}
        onChange={(event) =>
          change({
            dash: event.currentTarget.value === "" ? null : (event.currentTarget.value as "hyphen"),
          })
        }
      />
      <NativeSelect
        label={t("limit.label")}
        value={draft.label ?? ""}
        data={[
          { value: "", label: t("any") },
          { value: "brackets", label: "[ANNA]" },
          { value: "colon", label: "ANNA:" },
        ]}
        onChange={(event) =>
          change({
            label: event.currentTarget.value === "" ? null : (event.currentTarget.value as "colon"),
          })
        }
      />
      {(["half_width", "follows_cuts", "numbers"] as const).map((name) => (
        <Checkbox
          key={name}
          className={styles.wide}
          label={t(`limit.${name}`)}
          checked={draft[name]}
          onChange={(event) => change({ [name]: event.currentTarget.checked })}
        />
      ))}
      <div className={`${styles.actions} ${styles.wide}`}>
        <Button type="submit" loading={isBusy} data-testid="save-profile">
          {t("save")}
        </Button>
        <Button variant="subtle" onClick={onCancel}>
          {t("cancel")}
        </Button>
      </div>
    </form>
  );
}
