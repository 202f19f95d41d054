import { Button, Modal, Progress } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/messages/admin";
import { SeverityBadge } from "../../../platform/page/SeverityBadge";
import { IconDownload, IconTrash, IconX } from "../../../platform/theme/icons";
import { bytes } from "../list/words";
import { useModelActions, type Entry, type Loaded } from "./data";
import styles from "./models.module.css";

const WHERE = { models_folder: t("models.where.folder"), hub_cache: t("models.where.cache") };

/** Models by task, the best first. */
export function Catalogue({ entries, tasks }: { entries: Entry[]; tasks: Loaded[] }) {
  const { pull, remove } = useModelActions();
  const [doomed, setDoomed] = useState<Entry>();
  const titles = new Map(tasks.map(({ task, title }) => [task, title]));
  const groups = [...new Set(entries.map(({ task }) => task))];
  return (
    <>
      {groups.map((task) => (
        <section key={task} aria-label={titles.get(task) ?? t("models.others")}>
          <h3>{titles.get(task) ?? t("models.others")}</h3>
          <ul className={`card ${styles.entries}`}>
            {entries
              .filter((entry) => entry.task === task)
              .map((entry) => (
                <li key={entry.name} data-testid="model">
                  <Description entry={entry} />
                  <Tools
                    entry={entry}
                    onPull={() => void pull(entry.name)}
                    onStop={() => void remove(entry.name)}
                    onRemove={() => setDoomed(entry)}
                  />
                </li>
              ))}
          </ul>
        </section>
      ))}
      <Modal
        opened={doomed !== undefined}
        onClose={() => setDoomed(undefined)}
        title={t("models.removeTitle", { title: doomed?.title ?? "" })}
      >
        <p>{t(doomed?.obstacle == null ? "models.remove.about" : "models.remove.limited")}</p>
        <div className={styles.confirm}>
          <Button variant="default" onClick={() => setDoomed(undefined)}>
            {t("models.keepIt")}
          </Button>
          <Button
            color="red"
            onClick={() => {
              if (doomed !== undefined) void remove(doomed.name);
              setDoomed(undefined);
            }}
          >
            {t("models.remove")}
          </Button>
        </div>
      </Modal>
    </>
  );
}

function Description({ entry }: { entry: Entry }) {
  const facts = [
    entry.name,
    entry.size_bytes === null ? "" : bytes(entry.size_bytes),
    entry.licence,
    entry.installed === null ? "" : WHERE[entry.installed],
  ].filter((fact) => fact !== "");
  return (
    <div>
      <p>
        <strong>{entry.title}</strong>{" "}
        {entry.is_in_use && <SeverityBadge severity="success">{t("models.inUse")}</SeverityBadge>}{" "}
        {entry.is_noncommercial && (
          <SeverityBadge severity="warn">{t("models.noncommercial")}</SeverityBadge>
        )}
      </p>
      {entry.summary !== "" && <p>{entry.summary}</p>}
      <p className="quiet">{facts.join(" · ")}</p>
      {entry.obstacle !== null && <p className={styles.obstacle}>{entry.obstacle}</p>}
      {entry.order !== null && (
        <div className={styles.order} role="status">
          <p data-state={entry.order.state}>{entry.order.sentence}</p>
          {entry.order.bytes_total > 0 && (
            <Progress
              aria-label={t("models.download.progress", { title: entry.title })}
              value={(100 * entry.order.bytes_done) / entry.order.bytes_total}
            />
          )}
        </div>
      )}
    </div>
  );
}

interface ToolsProps {
  entry: Entry;
  onPull: () => void;
  onStop: () => void;
  onRemove: () => void;
}

function Tools({ entry, onPull, onStop, onRemove }: ToolsProps) {
  const { order, installed, obstacle, is_in_use, title } = entry;
  return (
    <span className={styles.entryTools}>
      {installed === null && (order === null || order.state === "failed") && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={15} />}
          disabled={obstacle !== null}
          aria-label={t("models.downloadTitle", { title })}
          onClick={onPull}
        >
          {order === null ? t("models.download") : t("models.tryAgain")}
        </Button>
      )}
      {order !== null && (
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconX size={15} />}
          aria-label={t("models.download.stop", { title })}
          onClick={onStop}
        >
          {t("models.stop")}
        </Button>
      )}
      {installed !== null && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTrash size={15} />}
          disabled={is_in_use}
          aria-label={t("models.remove.question", { title })}
          onClick={onRemove}
        >
          {t("models.remove")}
        </Button>
      )}
    </span>
  );
}
