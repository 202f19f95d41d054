import { ActionIcon, Button, Progress, Tooltip } from "@mantine/core";
import { IconDownload, IconRefresh, IconTrash, IconX } from "../../platform/theme/icons";
import { t } from "../../platform/messages/exports";
import type { MediaExport } from "../../domain/files/data";
import { bytes, day } from "../../domain/files/format";
import { useLanguages } from "../../domain/languages/languages";
import { StatusBadge } from "../../domain/files/StatusBadge";
import { isExporting } from "./data";
import styles from "./exports.module.css";

const MODE = { burned: t("burned"), soft: t("soft"), audio: t("audio") };

interface Props {
  one: MediaExport;
  mayChange: boolean;
  onAgain: () => void;
  onRemove: () => void;
}

export function ExportRow({ one, mayChange, onAgain, onRemove }: Props) {
  const { label } = useLanguages();
  const working = isExporting(one);
  const remove = t(working ? "cancel" : "remove");
  return (
    <li
      className={styles.export}
      data-testid="export"
      data-status={one.status}
      data-child={one.child}
    >
      <div className={styles.exportBody}>
        <div className={styles.exportHead}>
          <strong>{one.languages.map(label).join(", ")}</strong>
          <span className="quiet">{[MODE[one.mode], ...factsOf(one)].join(" · ")}</span>
          <StatusBadge status={one.status} />
        </div>
        <span className={styles.exportFacts}>
          {one.error ??
            (working
              ? one.status === "submitted"
                ? t("inTheQueue")
                : t("percent", { percent: one.progress })
              : [day(one.created_at), one.size_bytes === null ? "" : bytes(one.size_bytes)]
                  .filter((fact) => fact !== "")
                  .join(" · "))}
        </span>
        {one.notice !== null && <span className={styles.exportFacts}>{one.notice}</span>}
        {working && (
          <Progress
            value={one.progress}
            size={5}
            mt={6}
            aria-label={t("progress", { percent: one.progress })}
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
          {t("download")}
        </Button>
      )}
      {mayChange && !working && (
        <Tooltip label={t("again")}>
          <ActionIcon aria-label={t("again")} size="lg" onClick={onAgain}>
            <IconRefresh size={17} />
          </ActionIcon>
        </Tooltip>
      )}
      {mayChange && (
        <Tooltip label={remove}>
          <ActionIcon aria-label={remove} size="lg" onClick={onRemove}>
            {working ? <IconX size={18} /> : <IconTrash size={17} />}
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}

/** What distinguishes this file from others of the same captions. */
function factsOf({ settings }: MediaExport): string[] {
  return [
    settings.aspect === "original" ? "" : settings.aspect,
    settings.height ? `${settings.height}p` : "",
    settings.file_form?.toUpperCase() ?? "",
  ].filter((fact) => fact !== "");
}
