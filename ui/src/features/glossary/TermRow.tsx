import { ActionIcon, Tooltip } from "@mantine/core";
import { memo } from "react";
import { IconPencil, IconTrash } from "../../theme/icons";
import { useLanguages } from "../files/languages";
import type { Term } from "./types";
import type { TermChange } from "./data";
import { TermForm } from "./TermForm";
import styles from "./glossary.module.css";

interface Props {
  term: Term;
  hasTeam: boolean;
  editing: boolean;
  onEdit: (id: string | null) => void;
  onSave: (id: string, change: TermChange) => Promise<boolean>;
  onRemove: (term: Term) => void;
}

export const TermRow = memo(function TermRow(props: Props) {
  const { term, hasTeam, editing, onEdit, onSave, onRemove } = props;
  const { label } = useLanguages();
  if (editing) {
    return (
      <li className={styles.term} data-testid="term">
        <TermForm
          term={term}
          verb="Save"
          autoFocus
          onSave={(change) => onSave(term.id, change)}
          onCancel={() => onEdit(null)}
        />
      </li>
    );
  }
  const any = (code: string | null) => (code === null ? "any language" : label(code));
  const same = term.source === term.target;
  return (
    <li className={styles.term} data-testid="term">
      <div className={styles.termWords}>
        <p>
          <strong dir="auto" lang={term.from ?? undefined}>
            {term.source}
          </strong>{" "}
          <span aria-hidden="true">→</span>{" "}
          {same ? (
            <em className="quiet">stays as it is</em>
          ) : (
            <span dir="auto" lang={term.to ?? undefined}>
              {term.target}
            </span>
          )}
        </p>
        <p className={styles.termFacts}>
          {any(term.from)} to {any(term.to)}
          {term.case && " · capitals must match"}
          {hasTeam && (term.scope === "team" ? " · team" : " · only you")}
          {term.note !== "" && ` · ${term.note}`}
        </p>
      </div>
      {term.may_change && (
        <div className={styles.termTools}>
          <Tooltip label="Edit">
            <ActionIcon aria-label={`Edit ${term.source}`} onClick={() => onEdit(term.id)}>
              <IconPencil size={17} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Delete">
            <ActionIcon aria-label={`Delete ${term.source}`} onClick={() => onRemove(term)}>
              <IconTrash size={17} />
            </ActionIcon>
          </Tooltip>
        </div>
      )}
    </li>
  );
});
