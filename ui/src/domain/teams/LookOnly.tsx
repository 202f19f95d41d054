import { t } from "../../platform/messages/rights";
import { useSession } from "../person/session";
import { useActiveTeam } from "./activeTeam";
import styles from "./lookOnly.module.css";

export interface LookOnlyProps {
  /** What cannot be changed: a file, its texts, some of the selected ones, or what would be added to a team. */
  about?:
    | "file"
    | "texts"
    | "selection"
    | "uploads"
    | "projects"
    | "tags"
    | "glossary"
    | "bin"
    | "draft";
  /** How many of the selected files. */
  count?: number;
}

/** Why there are no commands that change something, where a person would look for them. */
export default function LookOnly({ about = "file", count }: LookOnlyProps) {
  const { team } = useActiveTeam();
  const isSupport = useSession().user?.browse_as?.may_change === false;
  return (
    <span className={styles.why} role="note" data-testid="why-look-only">
      {isSupport ? t("support") : t(about, { count, team: team?.name })}
    </span>
  );
}
