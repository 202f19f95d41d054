import { Alert, Button, Title } from "@mantine/core";
import { t } from "../../../platform/messages/admin";
import { EmptyState } from "../../../platform/page/EmptyState";
import { usePageTitle } from "../../../platform/page/usePageTitle";
import { bytes, moment } from "../list/words";
import { Catalogue } from "./Catalogue";
import { Comparison } from "./Comparison";
import { PullForm } from "./PullForm";
import { TaskCard } from "./TaskCard";
import { useCatalogue, useLoadedModels } from "./data";
import styles from "./models.module.css";

/** What each task runs on, and the models that one can get. */
export default function ModelsPage() {
  usePageTitle(t("models.adminModels"));
  const { data, error, mutate } = useLoadedModels();
  const { data: entries, error: problem, mutate: again } = useCatalogue();
  if (data === undefined) {
    return error === undefined ? (
      <EmptyState />
    ) : (
      <EmptyState
        loading={false}
        hero="lost"
        title={t("models.loadFailed")}
        description={error.message}
        add={{ label: t("models.tryAgain"), contentType: "models", onAdd: () => void mutate() }}
      />
    );
  }
  return (
    <div className={styles.models}>
      <header>
        <Title order={1}>{t("models.models")}</Title>
        <p className="quiet">
          {t.rich("models.folders", {
            modelsFolder: data.models_folder,
            code: (parts) => <code>{parts}</code>,
            freeBytes: bytes(data.free_bytes),
            hubCache: data.hub_cache,
          })}
        </p>
      </header>
      {data.problem !== null && (
        <Alert color="yellow" role="alert">
          {data.problem}
          {data.read_at !== null && t("models.lastSeen", { readAt: moment(data.read_at) })}
        </Alert>
      )}
      <section className={styles.tasks} aria-label={t("models.loaded.title")}>
        {data.tasks.map((task) => (
          <TaskCard key={task.task} task={task} />
        ))}
      </section>
      <Comparison comparison={data.comparison} />
      <section className={styles.catalogue} aria-label={t("models.catalogue")}>
        <h2>{t("models.catalogue")}</h2>
        {!data.downloads_allowed && <Alert color="yellow">{t("models.downloadsOff")}</Alert>}
        {!data.noncommercial_allowed && <p className="quiet">{t("models.noncommercialOff")}</p>}
        <PullForm disabled={!data.downloads_allowed} />
        {problem !== undefined && (
          <Alert color="red" role="alert">
            {problem.message}{" "}
            <Button size="compact-sm" onClick={() => void again()}>
              {t("models.tryAgain")}
            </Button>
          </Alert>
        )}
        {entries !== undefined && <Catalogue entries={entries} tasks={data.tasks} />}
      </section>
    </div>
  );
}
