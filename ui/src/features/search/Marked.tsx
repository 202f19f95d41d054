import type { Found } from "./data";
import styles from "./search.module.css";

/** A text with the words that were found. */
export function Marked({ parts }: { parts: Found["title"] }) {
  return parts.map(({ text, is_hit }, index) =>
    is_hit ? (
      <mark key={index} className={styles.hit}>
        {text}
      </mark>
    ) : (
      text
    ),
  );
}
