import { t } from "../../../platform/messages/editing";
import { IconNotes } from "../../../platform/theme/icons";
import { usePanels } from "../../editor/panels/usePanels";
import { useNotesOfLine } from "./context";
import styles from "./notes.module.css";

/** How many open notes a line has; opens them. Nothing for a line without any. */
export function NoteMark({ line }: { line: string }) {
  const count = useNotesOfLine(line);
  const { open } = usePanels();
  if (count === 0) return null;
  const label = t("together.notesOfLine", { count });
  return (
    <button
      type="button"
      className={styles.mark}
      data-testid="note-mark"
      aria-label={label}
      title={label}
      onClick={() => open("notes", { line })}
    >
      <IconNotes size={14} aria-hidden="true" />
      {count}
    </button>
  );
}
