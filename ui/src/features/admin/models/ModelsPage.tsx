import { Alert, Button, Title } from "@mantine/core";
import { EmptyState } from "../../../layouts/EmptyState";
import { usePageTitle } from "../../../layouts/usePageTitle";
import { bytes, moment } from "../list/words";
import { Catalogue } from "./Catalogue";
import { PullForm } from "./PullForm";
import { TaskCard } from "./TaskCard";
import { useCatalogue, useLoadedModels } from "./data";
import styles from "./models.module.css";

/** What each task runs on, and the models that one can get. */
export default function ModelsPage() {
  usePageTitle("Admin - Models");
  const { data, error, mutate } = useLoadedModels();
  const { data: entries, error: problem, mutate: again } = useCatalogue();
  if (data === undefined) {
    return error === undefined ? (
      <EmptyState />
    ) : (
      <EmptyState
        loading={false}
        hero="lost"
        title="The models could not be loaded"
        description={error.message}
        add={{ label: "Try again", contentType: "models", onAdd: () => void mutate() }}
      />
    );
  }
  return (
    <div className={styles.models}>
      <header>
        <Title order={1}>Models</Title>
        <p className="quiet">
          Models folder <code>{data.models_folder}</code>, {bytes(data.free_bytes)} free. Cache of
          the hub <code>{data.hub_cache}</code>.
        </p>
      </header>
      {data.problem !== null && (
        <Alert color="yellow" role="alert">
          {data.problem}
          {data.read_at !== null && ` Last seen ${moment(data.read_at)}.`}
        </Alert>
      )}
      <section className={styles.tasks} aria-label="What is loaded">
        {data.tasks.map((task) => (
          <TaskCard key={task.task} task={task} />
        ))}
      </section>
      <section className={styles.catalogue} aria-label="Catalogue">
        <h2>Catalogue</h2>
        {!data.downloads_allowed && (
          <Alert color="yellow">
            Downloads of models are off. Models that are put into the models folder still work.
          </Alert>
        )}
        {!data.noncommercial_allowed && (
          <p className="quiet">
            Models whose licence forbids commercial use are not downloaded here. Set
            SAGASCRIPT_ALLOW_NONCOMMERCIAL_MODELS=true if your use is not commercial.
          </p>
        )}
        <PullForm disabled={!data.downloads_allowed} />
        {problem !== undefined && (
          <Alert color="red" role="alert">
            {problem.message}{" "}
            <Button size="compact-sm" onClick={() => void again()}>
              Try again
            </Button>
          </Alert>
        )}
        {entries !== undefined && <Catalogue entries={entries} tasks={data.tasks} />}
      </section>
    </div>
  );
}
