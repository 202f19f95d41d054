import { Button, Checkbox, TextInput } from "@mantine/core";
import { useState, type FormEvent, type KeyboardEvent } from "react";
import { t } from "../../platform/messages/glossary";
import { AnyLanguage } from "./AnyLanguage";
import type { TermChange } from "../../domain/glossary/data";
import styles from "./glossary.module.css";

interface Props {
  term: TermChange;
  /** What the button says. */
  verb: string;
  onSave: (term: TermChange) => Promise<boolean>;
  onCancel?: () => void;
  autoFocus?: boolean;
}

/** The fields of a term. Enter saves; Escape leaves a term as it was. */
export function TermForm({ term, verb, onSave, onCancel, autoFocus = false }: Props) {
  const [draft, setDraft] = useState(term);
  const [busy, setBusy] = useState(false);
  const change = (fields: Partial<TermChange>) => setDraft({ ...draft, ...fields });
  const save = async (event: FormEvent) => {
    event.preventDefault();
    // An empty translation keeps the term as it is, which is what people want of names.
    const target = draft.target.trim() === "" ? draft.source : draft.target;
    setBusy(true);
    const saved = await onSave({ ...draft, target });
    setBusy(false);
    // The next term is usually of the same languages.
    if (saved) setDraft({ ...term, from: draft.from, to: draft.to });
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || onCancel === undefined) return;
    event.stopPropagation();
    onCancel();
  };
  return (
    <form className={styles.form} onSubmit={(event) => void save(event)} onKeyDown={keys}>
      <TextInput
        label={t("term")}
        placeholder={t("harbourMaster")}
        value={draft.source}
        autoFocus={autoFocus}
        onChange={({ currentTarget }) => change({ source: currentTarget.value })}
      />
      <TextInput
        label={t("translation")}
        placeholder={t("target.hint")}
        value={draft.target}
        onChange={({ currentTarget }) => change({ target: currentTarget.value })}
      />
      <AnyLanguage label={t("from")} value={draft.from} onChange={(from) => change({ from })} />
      <AnyLanguage label={t("into")} value={draft.to} onChange={(to) => change({ to })} />
      <TextInput
        label={t("note")}
        placeholder={t("target.peopleOnly")}
        value={draft.note}
        onChange={({ currentTarget }) => change({ note: currentTarget.value })}
      />
      <div className={styles.formEnd}>
        <Checkbox
          label={t("matchCapitals")}
          checked={draft.case}
          onChange={({ currentTarget }) => change({ case: currentTarget.checked })}
        />
        <span className={styles.formButtons}>
          {onCancel !== undefined && (
            <Button size="xs" variant="default" onClick={onCancel}>
              {t("cancel")}
            </Button>
          )}
          <Button size="xs" type="submit" loading={busy} disabled={draft.source.trim() === ""}>
            {verb}
          </Button>
        </span>
      </div>
    </form>
  );
}
