import { memo, useMemo, useState } from "react";
import { t } from "../../../platform/messages/glossary";
import { IconBook } from "../../../platform/theme/icons";
import type { Term } from "../../../domain/glossary/types";
import type { Editing } from "../../editor/editing";
import { useTrackOfRows } from "../lines/trackContext";
import { pairOf } from "../../../domain/captions/terms/matching";
import { TermMenu } from "./TermMenu";
import styles from "./terms.module.css";

interface Props {
  id: string;
  number: number;
  /** The translation as it stands in the box. */
  text: string;
  /** The original as it is now. */
  source: string;
  readOnly: boolean;
  editing: Editing;
}

/** The glossary terms of the original that the translation misses. Each opens a menu that puts it in. */
export const TermMarks = memo(function TermMarks(props: Props) {
  const { id, number, text, source, readOnly, editing } = props;
  const { terms } = useTrackOfRows();
  const [open, setOpen] = useState<Term>();
  const missing = useMemo(() => terms?.missing(source, text) ?? [], [terms, source, text]);
  if (missing.length === 0) return null;
  return (
    <ul
      className={styles.missing}
      aria-label={t("terms.missingIn", { number })}
      data-testid="missing-terms"
    >
      {missing.map((term) => {
        const words = (
          <>
            <IconBook size={13} aria-hidden />
            {t("terms.missing", { target: term.target })}
          </>
        );
        return (
          <li key={term.id}>
            {readOnly ? (
              <span>{words}</span>
            ) : open?.id === term.id ? (
              <TermMenu
                {...{ id, text, term, editing, words }}
                onClose={() => setOpen(undefined)}
              />
            ) : (
              <button
                type="button"
                data-term={term.id}
                aria-haspopup="menu"
                title={t("terms.missingTitle", pairOf(term))}
                onClick={() => setOpen(term)}
              >
                {words}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
});
