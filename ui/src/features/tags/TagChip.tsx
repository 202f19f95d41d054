import { Link } from "react-router";
import { t } from "../../platform/messages/files";
import type { FileTag } from "./data";
import styles from "./tags.module.css";

/** A tag on a card: leads to all files that have it. */
export function TagChip({ tag }: { tag: FileTag }) {
  return (
    <Link to={`/captions?tag=${tag.slug}`} className={styles.chip} data-colour={tag.colour}>
      {tag.name}
    </Link>
  );
}

export function TagDot({ colour }: { colour: FileTag["colour"] }) {
  return <span className={styles.dot} data-colour={colour} aria-hidden="true" />;
}

/** The tags of a file. Nothing when it has none. */
export function FileTags({ name, tags }: { name: string; tags: readonly FileTag[] }) {
  if (tags.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label={t("tags.of", { name })}>
      {tags.map((tag) => (
        <li key={tag.slug}>
          <TagChip tag={tag} />
        </li>
      ))}
    </ul>
  );
}
