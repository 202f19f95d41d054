import { Alert } from "@mantine/core";
import { t } from "../../platform/messages/glossary";
import type { GlossaryImport } from "../../domain/glossary/types";
import styles from "./glossary.module.css";

/** What an import did, and which rows it could not use. */
export function ImportReport({ report, onClose }: { report: GlossaryImport; onClose: () => void }) {
  const { added, changed, unchanged, refused } = report;
  const done = [
    t("addedAdded", { added }),
    changed > 0 ? t("import.changed", { changed }) : "",
    unchanged > 0 ? t("import.unchanged", { unchanged }) : "",
  ].filter((word) => word !== "");
  return (
    <Alert
      color={refused.length > 0 ? "yellow" : "teal"}
      role="status"
      withCloseButton
      closeButtonLabel={t("import.close")}
      onClose={onClose}
      data-testid="import-report"
    >
      {done.join(", ")}.
      {refused.length > 0 && (
        <>
          {" "}
          {t("import.refused", { refused: refused.length })}
          <ul className={styles.refused}>
            {refused.map(({ row, source, reason }) => (
              <li key={row}>
                {t("rowRow", { row })}
                {source !== "" && `, “${source}”`}: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </Alert>
  );
}
