import { Alert } from "@mantine/core";
import type { GlossaryImport } from "./types";
import { counted } from "../translations/words";
import styles from "./glossary.module.css";

/** What an import did, and which rows it could not use. */
export function ImportReport({ report, onClose }: { report: GlossaryImport; onClose: () => void }) {
  const { added, changed, unchanged, refused } = report;
  const done = [
    `${counted(added, "term")} added`,
    changed > 0 ? `${changed} changed` : "",
    unchanged > 0 ? `${unchanged} already there` : "",
  ].filter((word) => word !== "");
  return (
    <Alert
      color={refused.length > 0 ? "yellow" : "teal"}
      role="status"
      withCloseButton
      closeButtonLabel="Close this report"
      onClose={onClose}
      data-testid="import-report"
    >
      {done.join(", ")}.
      {refused.length > 0 && (
        <>
          {" "}
          {counted(refused.length, "row")} could not be used:
          <ul className={styles.refused}>
            {refused.map(({ row, source, reason }) => (
              <li key={row}>
                Row {row}
                {source !== "" && `, “${source}”`}: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </Alert>
  );
}
