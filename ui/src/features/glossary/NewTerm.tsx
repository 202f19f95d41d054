import { Select } from "@mantine/core";
import { t } from "../../platform/messages/glossary";
import type { TermChange } from "../../domain/glossary/data";
import { TermForm } from "./TermForm";
import type { TermScope } from "../../domain/glossary/types";
import styles from "./glossary.module.css";

const NEW_TERM: TermChange = {
  source: "",
  target: "",
  from: null,
  to: null,
  note: "",
  case: false,
};

interface Props {
  /** Whose glossary gets the term; null where there is no choice. */
  scope: TermScope | null;
  onScope: (scope: TermScope) => void;
  onSave: (term: TermChange) => Promise<boolean>;
}

/** The form for a new term. */
export function NewTerm({ scope, onScope, onSave }: Props) {
  return (
    <section className={`card ${styles.add}`} aria-label={t("add.label")}>
      {scope !== null && (
        <Select
          label={t("addTo")}
          data={[
            { value: "team", label: t("owner.team") },
            { value: "user", label: t("owner.mine") },
          ]}
          value={scope}
          allowDeselect={false}
          onChange={(value) => value !== null && onScope(value as TermScope)}
          w={220}
        />
      )}
      <TermForm term={NEW_TERM} verb={t("addTerm")} onSave={onSave} />
    </section>
  );
}
