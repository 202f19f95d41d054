import { Alert, Button, Drawer, Loader } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../../platform/i18n/en/adminContents";
import { IconRefresh, IconRestore, IconTrash, IconX } from "../../../platform/theme/icons";
import { clock } from "../../../domain/files/format";
import { StatusBadge } from "../../../domain/files/StatusBadge";
import { useLanguages } from "../../../domain/languages/languages";
import { bytes, moment } from "../list/words";
import { JobList } from "./JobList";
import { useContent, useContentActions, type ContentDetail } from "./data";
import styles from "./contents.module.css";

/** One file with its jobs. What is in it stays private: that takes browse-as. */
export function ContentDrawer({ slug, onClose }: { slug: string; onClose: () => void }) {
  return (
    <Drawer
      opened={slug !== ""}
      onClose={onClose}
      position="right"
      size="lg"
      title={t("file")}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      {slug !== "" && <Content slug={slug} />}
    </Drawer>
  );
}

function Content({ slug }: { slug: string }) {
  const { data: file, error } = useContent(slug);
  const { label } = useLanguages();
  if (file === undefined) {
    return error === undefined ? (
      <Loader aria-label={t("loading")} />
    ) : (
      <Alert color="red" role="alert">
        {error.message}
      </Alert>
    );
  }
  const facts: [string, string][] = [
    [t("uploadedAs"), file.filename],
    [t("language"), label(file.language)],
    [t("captions"), file.languages.map(label).join(", ") || t("none")],
    [t("length"), file.duration_ms === null ? t("notKnown") : clock(file.duration_ms)],
    [t("resolution"), file.width === null ? "–" : `${file.width} × ${file.height}`],
    [t("original"), file.size_bytes === null ? t("notKnown") : bytes(file.size_bytes)],
    [
      t("storedInAll"),
      t("storedbytesExportsExports", {
        storedBytes: bytes(file.stored_bytes),
        exports: file.exports,
      }),
    ],
    [t("model"), file.engine ?? "–"],
    [t("added"), moment(file.created_at)],
    [t("changed"), moment(file.updated_at)],
  ];
  return (
    <div className={styles.detail}>
      <header>
        <h2>{file.name}</h2>
        <StatusBadge status={file.status} code={file.error_code} />
        {file.queue_place !== null && (
          <span className="quiet">
            {t("numberQueueplaceInTheQueue", { queuePlace: file.queue_place })}
          </span>
        )}
      </header>
      <p>
        <Link to={`/admin/users/${file.owner.id}`}>{file.owner.name}</Link>{" "}
        <span className="quiet">
          {file.owner.email}
          {file.team !== null && ` · ${file.team.name}`}
        </span>
      </p>
      {file.error !== null && (
        <Alert color={file.status === "failed" ? "red" : "gray"}>
          {file.error}
          {file.error_code !== null && ` (${file.error_code})`}
        </Alert>
      )}
      <Actions file={file} />
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h3>{t("work")}</h3>
      <JobList jobs={file.jobs} />
    </div>
  );
}

function Actions({ file }: { file: ContentDetail }) {
  const act = useContentActions();
  return (
    <div className={styles.actions}>
      {file.can_retry && (
        <Button
          leftSection={<IconRefresh size={16} />}
          onClick={() => void act(file.slug, "retry")}
        >
          {t("startAgain")}
        </Button>
      )}
      {file.can_cancel && (
        <Button
          variant="default"
          leftSection={<IconX size={16} />}
          onClick={() => void act(file.slug, "cancel")}
        >
          {t("cancelWork")}
        </Button>
      )}
      {file.can_bin && (
        <Button
          variant="default"
          leftSection={<IconTrash size={16} />}
          onClick={() => void act(file.slug, "bin")}
        >
          {t("moveToTheBin")}
        </Button>
      )}
      {file.can_restore && (
        <Button
          leftSection={<IconRestore size={16} />}
          onClick={() => void act(file.slug, "restore")}
        >
          {t("restore")}
        </Button>
      )}
    </div>
  );
}
