import { Checkbox } from "@mantine/core";
import { t } from "../../../platform/messages/files";
import type { MediaFile } from "../../../domain/files/data";
import { useSelection } from "./selection";
import styles from "../files.module.css";

/** Selects the file. Nothing where files cannot be selected. */
export default function FileTick({ file }: { file: MediaFile }) {
  const selection = useSelection();
  if (selection === null) return null;
  return (
    <span className={styles.fileTick} data-shown={selection.chosen.size > 0 || undefined}>
      <Checkbox
        aria-label={t("select.one", { fileName: file.name })}
        checked={selection.chosen.has(file.id)}
        onChange={(event) => selection.set([file], event.currentTarget.checked)}
      />
    </span>
  );
}
