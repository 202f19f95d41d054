import { ActionIcon, Progress } from "@mantine/core";
import { memo } from "react";
import { Link } from "react-router";
import { t } from "../../platform/messages/files";
import { useLanguageNames } from "../../platform/i18n/languageNames";
import { later } from "../../platform/failure/Later";
import { asksLanguage, waitsForMinutes } from "../../domain/files/needs";
import { IconDots, IconMovie, IconWaveSine } from "../../platform/theme/icons";
import { activityOf } from "../../domain/files/activity";
import { isWorking, type MediaFile } from "../../domain/files/data";
import { clock } from "../../domain/files/format";
import { stateLine } from "./stateLine";
import { ActivityBadge, StatusBadge } from "../../domain/files/StatusBadge";
import { FileTags } from "../tags/TagChip";
import { DRAGGED_FILE, type DraggedFile } from "./browser/drag";
import { useSelection } from "./browser/selection";
import { useWorkspace } from "../../domain/teams/workspace";
import { Tracks } from "./Tracks";
import styles from "./files.module.css";

const FileMenu = later<{ file: MediaFile }>(
  () => import("./FileMenu"),
  ({ file }) => (
    <ActionIcon aria-label={t("menu.label", { fileName: file.name })} disabled>
      <IconDots size={18} />
    </ActionIcon>
  ),
);

// Few files have these.
const CardQuestion = later<{ file: MediaFile }>(async () => ({
  default: (await import("../languages/CardQuestion")).CardQuestion,
}));
const QuotaHelp = later<{ file: MediaFile; explains?: boolean }>(async () => ({
  default: (await import("../ledger/QuotaHelp")).QuotaHelp,
}));
const FileTick = later<{ file: MediaFile }>(() => import("./browser/FileTick"));
const Owner = later<{ team: string | null; file: MediaFile }>(
  () => import("../teams/Owner"),
  () => <span className={styles.fileOwner} />,
);
const FileTexts = later<{ file: MediaFile }>(async () => ({
  default: (await import("../aitext/texts/FileTexts")).FileTexts,
}));

/** Where a click on a file leads: to its progress while it is processed or recorded, otherwise to its captions. */
export const pageOf = (file: MediaFile): string => {
  if (file.status === "live") return `/live/${file.slug}`;
  return isWorking(file) ? `/captions/processing/${file.slug}` : `/captions/${file.slug}`;
};

interface Props {
  file: MediaFile;
  /** Given where the card can be dragged to another project: the one it is in. */
  dragFrom?: string | undefined;
}

export const FileCard = memo(function FileCard({ file, dragFrom }: Props) {
  useLanguageNames();
  const selection = useSelection();
  const hasTeams = useWorkspace() !== undefined;
  const isChosen = selection?.chosen.has(file.id) === true;
  const working = isWorking(file);
  const activity = activityOf(file);
  return (
    <li
      className={styles.file}
      data-testid="file"
      data-slug={file.slug}
      data-status={file.status}
      data-chosen={isChosen || undefined}
      draggable={dragFrom !== undefined && file.may_change}
      onDragStart={(event) => {
        if (dragFrom === undefined) return;
        const dragged: DraggedFile = { id: file.id, from: dragFrom };
        event.dataTransfer.setData(DRAGGED_FILE, JSON.stringify(dragged));
        event.dataTransfer.effectAllowed = "move";
      }}
    >
      {selection !== null && <FileTick file={file} />}
      <Link to={pageOf(file)} className={styles.filePoster} tabIndex={-1} aria-hidden="true">
        {file.poster_url === null ? (
          <Placeholder kind={file.kind} />
        ) : (
          <img src={file.poster_url} alt="" loading="lazy" decoding="async" />
        )}
        {file.duration_ms !== null && (
          <span className={`${styles.fileLength} tabular`}>{clock(file.duration_ms)}</span>
        )}
      </Link>
      <div className={styles.fileBody}>
        <div className={styles.fileHead}>
          <Link to={pageOf(file)} className={styles.fileName} title={file.name}>
            {file.name}
          </Link>
          <FileMenu file={file} />
        </div>
        <div className={styles.fileState} data-testid="file-state">
          <StatusBadge status={file.status} code={file.error_code} />
          {activity !== null && <ActivityBadge words={activity} />}
          <span className={styles.fileWords} title={stateLine(file)}>
            {stateLine(file)}
          </span>
        </div>
        {hasTeams && <Owner team={file.team_id} file={file} />}
        <FileTags name={file.name} tags={file.tags} />
        {file.ai_texts.length > 0 && <FileTexts file={file} />}
        <Tracks file={file} />
        {file.may_change && asksLanguage(file) && <CardQuestion file={file} />}
        {file.may_change && waitsForMinutes(file) && <QuotaHelp file={file} explains />}
      </div>
      {working && (
        <Progress
          value={file.queue_place === null ? file.progress : 0}
          size={3}
          radius={0}
          className={styles.fileProgress}
          aria-label={t("progress.label", {
            fileName: file.name,
            progress: file.progress,
          })}
        />
      )}
    </li>
  );
});

function Placeholder({ kind }: { kind: string }) {
  const Mark = kind === "audio" ? IconWaveSine : IconMovie;
  return (
    <span className={styles.filePlaceholder}>
      <Mark size={40} stroke={1.2} />
    </span>
  );
}
