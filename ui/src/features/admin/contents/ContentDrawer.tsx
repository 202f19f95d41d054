import { Alert, Button, Drawer, Loader } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../../platform/messages/admin";
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
      title={t("contents.file")}
      closeButtonProps={{ "aria-label": t("contents.close") }}
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
      <Loader aria-label={t("contents.loading")} />
    ) : (
      <Alert color="red" role="alert">
        {error.message}
      </Alert>
    );
  }
  const facts: [string, string][] = [
    [t("contents.uploadedAs"), file.filename],
    [t("contents.language"), label(file.language)],
    [t("contents.captions"), file.languages.map(label).join(", ") || t("contents.none")],
    [
      t("contents.length"),
      file.duration_ms === null ? t("contents.notKnown") : clock(file.duration_ms),
    ],
    [t("contents.resolution"), file.width === null ? "–" : `${file.width} × ${file.height}`],
    [
      t("contents.original"),
      file.size_bytes === null ? t("contents.notKnown") : bytes(file.size_bytes),
    ],
    [
      t("contents.storedTotal"),
      t("contents.storedExports", {
        storedBytes: bytes(file.stored_bytes),
        exports: file.exports,
      }),
    ],
    [t("contents.model"), file.engine ?? "–"],
    [t("contents.added"), moment(file.created_at)],
    [t("contents.changed"), moment(file.updated_at)],
  ];
  return (
    <div className={styles.detail}>
      <header>
        <h2>{file.name}</h2>
        <StatusBadge status={file.status} code={file.error_code} />
        {file.queue_place !== null && (
          <span className="quiet">
            {t("contents.queuePlace", { queuePlace: file.queue_place })}
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
      <h3>{t("contents.work")}</h3>
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
          {t("contents.startAgain")}
        </Button>
      )}
      {file.can_cancel && (
        <Button
          variant="default"
          leftSection={<IconX size={16} />}
          onClick={() => void act(file.slug, "cancel")}
        >
          {t("contents.cancelWork")}
        </Button>
      )}
      {file.can_bin && (
        <Button
          variant="default"
          leftSection={<IconTrash size={16} />}
          onClick={() => void act(file.slug, "bin")}
        >
          {t("contents.moveToBin")}
        </Button>
      )}
      {file.can_restore && (
        <Button
          leftSection={<IconRestore size={16} />}
          onClick={() => void act(file.slug, "restore")}
        >
          {t("contents.restore")}
        </Button>
      )}
    </div>
  );
}
