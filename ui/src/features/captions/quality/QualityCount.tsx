import styles from "./quality.module.css";

interface Props {
  count: number;
  /** All of them are hints. */
  isQuiet: boolean;
}

/** The number of the captions' findings, on a button that says it in words. */
export function QualityCount({ count, isQuiet }: Props) {
  if (count === 0) return null;
  return (
    <span
      className={`${styles.count} tabular`}
      aria-hidden="true"
      data-testid="quality-count"
      data-quiet={isQuiet || undefined}
    >
      {count > 99 ? "99+" : count}
    </span>
  );
}
