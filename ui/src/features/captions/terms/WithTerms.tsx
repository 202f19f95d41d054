import { useMemo } from "react";
import { t } from "../../../platform/messages/glossary";
import { Rows } from "../rows/Rows";
import { useTrackOfRows } from "../lines/trackContext";
import { pairOf, stays } from "../../../domain/captions/terms/matching";
import styles from "./terms.module.css";

/** A text of the original with the terms of the glossary marked. */
export function WithTerms({ text }: { text: string }) {
  const { terms } = useTrackOfRows();
  const places = useMemo(() => terms?.placesIn(text) ?? [], [terms, text]);
  if (places.length === 0) return <Rows text={text} />;
  return (
    <>
      {places.map(({ term, start, end }, index) => (
        <span key={start}>
          <Rows text={text.slice(places[index - 1]?.end ?? 0, start)} />
          <mark
            className={styles.term}
            title={
              stays(term)
                ? t("terms.stays", { source: term.source })
                : t("terms.becomes", pairOf(term))
            }
            data-testid="source-term"
          >
            <Rows text={text.slice(start, end)} />
          </mark>
        </span>
      ))}
      <Rows text={text.slice(places.at(-1)?.end)} />
    </>
  );
}
