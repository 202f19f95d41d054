import { ActionIcon, Tooltip } from "@mantine/core";
import { memo } from "react";
import { t } from "../../platform/messages/glossary";

import { IconPencil, IconTrash } from "../../platform/theme/icons";
import { useLanguages } from "../../domain/languages/languages";
import type { Term } from "../../domain/glossary/types";
import type { TermChange } from "../../domain/glossary/data";
import type { TermUse } from "../../domain/glossary/words";
import { TermForm } from "./TermForm";
import styles from "./glossary.module.css";

interface Props {
  term: Term;
  /** How often captions hold it; undefined until that is counted. */
  use: TermUse | undefined;
  hasTeam: boolean;
  editing: boolean;
  onEdit: (id: string | null) => void;
  onSave: (id: string, change: TermChange) => Promise<boolean>;
  onRemove: (term: Term) => void;
}

export const TermRow = memo(function TermRow(props: Props) {
  const { term, use, hasTeam, editing, onEdit, onSave, onRemove } = props;
  const { label } = useLanguages();
  if (editing) {
    return (
      <li className={styles.term} data-testid="term">
        <TermForm
          term={term}
          verb={t("save")}
          autoFocus
          onSave={(change) => onSave(term.id, change)}
          onCancel={() => onEdit(null)}
        />
      </li>
    );
  }
  const any = (code: string | null) => (code === null ? t("anyLanguage") : label(code));
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
            <em className="quiet">{t("target.keep")}</em>
          ) : (
            <span dir="auto" lang={term.to ?? undefined}>
              {term.target}
            </span>
          )}
        </p>
        <p className={styles.termFacts}>
          {t("pair.anyToAny", { any: any(term.from), any2: any(term.to) })}
          {term.case && t("case.match")}
          {hasTeam && (term.scope === "team" ? t("ofTheTeam") : t("onlyYou"))}
          {term.note !== "" && ` · ${term.note}`}
          {use !== undefined && ` · ${wordsOfUse(use)}`}
        </p>
      </div>
      {term.may_change && (
        <div className={styles.termTools}>
          <Tooltip label={t("edit")}>
            <ActionIcon
              aria-label={t("edit.named", { source: term.source })}
              onClick={() => onEdit(term.id)}
            >
              <IconPencil size={17} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t("delete")}>
            <ActionIcon
              aria-label={t("delete.named", { source: term.source })}
              onClick={() => onRemove(term)}
            >
              <IconTrash size={17} />
            </ActionIcon>
          </Tooltip>
        </div>
      )}
    </li>
  );
});

/** “used 14 times, corrected 2 since added” */
function wordsOfUse({ used, corrected, is_whole }: TermUse): string {
  const uses = t(is_whole ? "learned.use" : "learned.useAtLeast", { used });
  return corrected === 0 ? uses : uses + t("learned.corrected", { corrected });
}
