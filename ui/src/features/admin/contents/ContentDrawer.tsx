import { Alert, Button, Drawer, Loader } from "@mantine/core";
import { Link } from "react-router";
import { IconRefresh, IconRestore, IconTrash, IconX } from "../../../theme/icons";
import { clock } from "../../files/format";
import { StatusBadge } from "../../files/StatusBadge";
import { useLanguages } from "../../files/languages";
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
      title="File"
      closeButtonProps={{ "aria-label": "Close" }}
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
      <Loader aria-label="Loading" />
    ) : (
      <Alert color="red" role="alert">
        {error.message}
      </Alert>
    );
  }
  const facts: [string, string][] = [
    ["Uploaded as", file.filename],
    ["Language", label(file.language)],
    ["Captions", file.languages.map(label).join(", ") || "None"],
    ["Length", file.duration_ms === null ? "Not known" : clock(file.duration_ms)],
    ["Resolution", file.width === null ? "–" : `${file.width} × ${file.height}`],
    ["Original", file.size_bytes === null ? "Not known" : bytes(file.size_bytes)],
    ["Stored in all", `${bytes(file.stored_bytes)}, ${file.exports} exports`],
    ["Model", file.engine ?? "–"],
    ["Added", moment(file.created_at)],
    ["Changed", moment(file.updated_at)],
  ];
  return (
    <div className={styles.detail}>
      <header>
        <h2>{file.name}</h2>
        <StatusBadge status={file.status} code={file.error_code} />
        {file.queue_place !== null && (
          <span className="quiet">Number {file.queue_place} in the queue</span>
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
      <h3>Work</h3>
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
          Start again
        </Button>
      )}
      {file.can_cancel && (
        <Button
          variant="default"
          leftSection={<IconX size={16} />}
          onClick={() => void act(file.slug, "cancel")}
        >
          Cancel work
        </Button>
      )}
      {file.can_bin && (
        <Button
          variant="default"
          leftSection={<IconTrash size={16} />}
          onClick={() => void act(file.slug, "bin")}
        >
          Move to the bin
        </Button>
      )}
      {file.can_restore && (
        <Button
          leftSection={<IconRestore size={16} />}
          onClick={() => void act(file.slug, "restore")}
        >
          Restore
        </Button>
      )}
    </div>
  );
}
