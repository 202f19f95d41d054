import { ActionIcon, Button, Progress, Tooltip } from "@mantine/core";
import { IconDownload, IconTrash, IconX } from "../../theme/icons";
import type { MediaExport } from "../files/data";
import { bytes, day } from "../files/format";
import { useLanguages } from "../files/languages";
import { StatusBadge } from "../files/StatusBadge";
import { isExporting } from "./data";
import styles from "./exports.module.css";

const MODE = { burned: "Burned in", soft: "Subtitle track", audio: "Sound only" };

export function ExportRow({ one, onRemove }: { one: MediaExport; onRemove: () => void }) {
  const { label } = useLanguages();
  const working = isExporting(one);
  const remove = working ? "Cancel this export" : "Remove this export";
  return (
    <li
      className={styles.export}
      data-testid="export"
      data-status={one.status}
      data-child={one.child}
    >
      <div className={styles.exportBody}>
        <div className={styles.exportHead}>
          <strong>{label(one.language)}</strong>
          <span className="quiet">{MODE[one.mode]}</span>
          <StatusBadge status={one.status} />
        </div>
        <span className={styles.exportFacts}>
          {one.error ??
            (working
              ? one.status === "submitted"
                ? "In the queue"
                : `${one.progress}%`
              : [day(one.created_at), one.size_bytes === null ? "" : bytes(one.size_bytes)]
                  .filter((fact) => fact !== "")
                  .join(" · "))}
        </span>
        {working && (
          <Progress
            value={one.progress}
            size={5}
            mt={6}
            aria-label={`Progress of the export, ${one.progress}%`}
          />
        )}
      </div>
      {one.download_url !== null && (
        <Button
          component="a"
          href={one.download_url}
          download
          variant="light"
          size="xs"
          leftSection={<IconDownload size={16} />}
        >
          Download
        </Button>
      )}
      <Tooltip label={remove}>
        <ActionIcon aria-label={remove} size="lg" onClick={onRemove}>
          {working ? <IconX size={18} /> : <IconTrash size={17} />}
        </ActionIcon>
      </Tooltip>
    </li>
  );
}
